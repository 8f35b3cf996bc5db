import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { projectId } from '../fleet/fleet-name.ts';
import { WireFleet, type WireFleetOptions } from '../fleet/wire-fleet.ts';
import { serveTasks } from '../process/child.ts';

interface ServiceOptions extends WireFleetOptions {
  readonly latencyMs: number;
}

/** An operations page of a project that is not new: what a daemon in step with it is shown. */
const operationsShown = 10;

/** A service that answers from memory after a fixed time; a list read from its beginning lets time go on. */
async function start({ latencyMs, ...options }: ServiceOptions): Promise<string> {
  const fleet = new WireFleet(options);
  const indices = new Map(Array.from({ length: options.projects }, (_, index) => [projectId(index), index]));
  const server = createServer((request, response) => {
    const body = answer(fleet, indices, new URL(request.url ?? '/', 'http://service'));
    const json = JSON.stringify(body);
    response.setHeader('content-type', 'application/json');
    response.setHeader('content-length', Buffer.byteLength(json));
    setTimeout(() => response.end(json), latencyMs);
  });
  server.keepAliveTimeout = 60_000;
  server.listen(0, '127.0.0.1', 4096);
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return `http://127.0.0.1:${port}/api/v2/`;
}

function answer(
  fleet: WireFleet,
  indices: ReadonlyMap<string, number>,
  { pathname, searchParams }: URL,
): unknown {
  const index = indices.get(pathname.split('/')[4] ?? '') ?? 0;
  const limit = Number(searchParams.get('limit') ?? 100);
  if (pathname.endsWith('/endpoints')) return { endpoints: [fleet.endpoint(index)] };
  if (pathname.endsWith('/operations'))
    return { operations: fleet.operations(index, Math.min(limit, operationsShown)) };
  if (pathname.endsWith('/api_keys')) return [];
  const from = Number(searchParams.get('cursor') ?? 0);
  if (from === 0) fleet.advance();
  const projects = fleet.projects(from, limit);
  const next = from + projects.length;
  return { projects, ...(next < fleet.options.projects && { pagination: { cursor: String(next) } }) };
}

const tasks = { start };
export type ServiceTasks = typeof tasks;

serveTasks(tasks);
