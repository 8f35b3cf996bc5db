import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findShard } from '../../src/resources/shard.ts';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import type { BenchRun } from './bench-run.ts';
import { declareBenchmark, type Row } from './benchmark.ts';
import { projectId } from './fleet/fleet-name.ts';
import { type Child, startChild } from './process/child.ts';
import { runExporter } from './process/exporter.ts';
import { type ProbedDaemon, startProbedDaemon } from './process/probed-daemon.ts';
import type { ServiceTasks, Traffic } from './program/fake-service.ts';

interface SharedFleet {
  readonly projects: number;
  readonly shards: number;
  /** Of all shards together. */
  readonly requestsPerMinute: number;
  /** How long a shard that borrows is watched; nothing is lent where it is absent. */
  readonly borrowingMs?: number;
}

/** How all exporters of an account did together. */
interface Outcome {
  /** From the first request until every project was asked for. */
  readonly readMs: number;
  readonly traffic: Traffic;
  readonly residentBytes: readonly number[];
}

const busyShare = 0.05;
const minuteMs = 60_000;
const latencyMs = 20;
const lookPauseMs = 50;
const mebibyte = 2 ** 20;
const ceiling = 'requests that the account allows in a minute';
/** The part of its share that a shard keeps in any case. */
const keptShare = 0.2;

export const shard = declareBenchmark({
  name: 'shard',
  goal:
    'Exporters that share an account never send more in a minute than it allows, as the service would refuse it. They read all ' +
    'projects in at most 1.1 × the time that the largest part takes at its share of the requests, and none takes more than ' +
    '1.1 × the memory that `plan --shards` says. Within a minute a busy one has 90 % of what idle ones can lend, and it uses 90 % ' +
    'of what it then has.',
  sizes: {
    tiny: { projects: 20, shards: 2, requestsPerMinute: 12_000 },
    small: { projects: 180, shards: 3, requestsPerMinute: 3000, borrowingMs: 5000 },
    full: { projects: 5000, shards: 4, requestsPerMinute: 10_000, borrowingMs: 60_000 },
  },
  async run(fleet, run) {
    const { projects, shards, requestsPerMinute, borrowingMs } = fleet;
    const one = await watch(fleet, 1, run);
    const all = await watch(fleet, shards, run);
    const name = `${shards} shards`;
    const read = 'until all projects are read';
    const bound = 'the largest part, as fast as one exporter reads';
    const memory = 'resident, as planned';
    return [
      { what: ceiling, value: requestsPerMinute, unit: '' },
      countBusiest(name, all.traffic),
      { what: `one exporter, ${read}`, value: one.readMs, unit: 'ms' },
      { what: bound, value: (one.readMs * shards * largestPart(fleet)) / projects, unit: 'ms' },
      compare(`${name}, ${read}`, all.readMs, 'ms', bound, { atMost: 1.1 }),
      { what: memory, value: (await planMemory(fleet)) / mebibyte, unit: 'MiB' },
      compare(`${name}, resident, the largest`, Math.max(...all.residentBytes) / mebibyte, 'MiB', memory, {
        atMost: 1.1,
      }),
      ...(borrowingMs === undefined ? [] : await lend(fleet, borrowingMs, run)),
    ];
  },
});

function compare(
  what: string,
  value: number,
  unit: string,
  ratioTo: string,
  bounds: { readonly atMost?: number; readonly atLeast?: number },
): Row {
  return { what, value, unit, ratioTo, goal: { of: 'ratio', ...bounds } };
}

function countBusiest(name: string, { inBusiestWindow }: Traffic): Row {
  return compare(`${name}, requests in the busiest minute`, inBusiestWindow, '', ceiling, { atMost: 1 });
}

/** Projects of the shard that has most of them. */
function largestPart({ projects, shards }: SharedFleet): number {
  const counts = new Array<number>(shards).fill(0);
  for (let index = 0; index < projects; index += 1) {
    const own = findShard(projectId(index), shards);
    counts[own] = (counts[own] ?? 0) + 1;
  }
  return Math.max(...counts);
}

async function planMemory({ projects, shards }: SharedFleet): Promise<number> {
  const sizes = ['--projects', String(projects), '--shards', String(shards), '--format', 'json'];
  const planned = await runExporter(['plan', ...sizes]);
  return JSON.parse(planned).accounts[0].shards.memory_bytes_of_each;
}

/** Starts so many exporters at once, on a service and with histories of their own. */
async function watch(fleet: SharedFleet, count: number, run: BenchRun): Promise<Outcome> {
  const service = startChild<ServiceTasks>(run, 'fake-service');
  const daemons = await startShards(fleet, run, { service, count, busyShare, envOf: () => ({}) });
  let traffic = await service.ask('readTraffic', minuteMs);
  while (traffic.projectsRead < fleet.projects) {
    await sleep(lookPauseMs);
    traffic = await service.ask('readTraffic', minuteMs);
  }
  const readMs = traffic.lastedMs;
  const usages = await Promise.all(daemons.map(daemon => daemon.readUsage()));
  await Promise.all(daemons.map(daemon => daemon.stop()));
  await service.stop();
  return { readMs, traffic, residentBytes: usages.map(({ residentBytes }) => residentBytes) };
}

/** The first shard has more to do than all may send, and the others read lists alone. */
async function lend(fleet: SharedFleet, borrowingMs: number, run: BenchRun): Promise<readonly Row[]> {
  const { shards, requestsPerMinute } = fleet;
  const service = startChild<ServiceTasks>(run, 'fake-service');
  const folder = run.openFolder();
  // Two requests each every ten seconds: the first shard alone lacks more than the account allows.
  const projects = Math.ceil((requestsPerMinute * shards) / 10);
  const daemons = await startShards({ ...fleet, projects }, run, {
    ...{ service, count: shards, busyShare: 1 },
    envOf: index => ({
      DBPM_COLLECT_LENDING_FOLDER: folder,
      ...(index > 0 && { DBPM_COLLECT_COLLECTORS: 'projects' }),
    }),
  });
  const share = requestsPerMinute / shards;
  const lendable = (shards - 1) * Math.floor(share * (1 - keptShare));
  let borrowed = 0;
  while (borrowed < 0.9 * lendable) {
    await sleep(lookPauseMs);
    borrowed = await readBorrowed(daemons[0]);
  }
  const began = await service.ask('readTraffic', minuteMs);
  await sleep(borrowingMs);
  const ended = await service.ask('readTraffic', minuteMs);
  const sent = ((ended.forProjects - began.forProjects) * minuteMs) / (ended.lastedMs - began.lastedMs);
  const allowed = 'share of the busy shard, with what the others can lend';
  const unit = 'requests/min';
  return [
    {
      ...{ what: 'first request, until 90 % of what idle shards can lend is borrowed', unit: 's' },
      ...{ value: began.lastedMs / 1000, goal: { of: 'value', atMost: 60 } as const },
    },
    { what: allowed, value: share + lendable, unit },
    compare('requests of the busy shard for projects', sent, unit, allowed, { atLeast: 0.9 }),
    countBusiest(`${shards} shards that lend`, ended),
  ];
}

async function readBorrowed(daemon: ProbedDaemon | undefined): Promise<number> {
  if (daemon === undefined) return 0;
  const samples = readExposition(await (await fetch(daemon.url)).text());
  return sampleValue(samples, 'dbpm_exporter_borrowed_requests_per_minute', { account: 'main' }) ?? 0;
}

interface Start {
  readonly service: Child<ServiceTasks>;
  readonly count: number;
  readonly busyShare: number;
  readonly envOf: (index: number) => Readonly<Record<string, string>>;
}

async function startShards(
  { projects, requestsPerMinute }: SharedFleet,
  run: BenchRun,
  { service, count, busyShare, envOf }: Start,
): Promise<readonly ProbedDaemon[]> {
  const base_url = await service.ask('start', { projects, busyShare, latencyMs, now: Date.now() });
  const folder = run.openFolder();
  return Promise.all(
    Array.from({ length: count }, (_, index) =>
      startProbedDaemon(run, {
        ...{ base_url, requestsPerMinute, sweepSeconds: 10 },
        historyFile: join(folder, `shard-${index}.sqlite`),
        env: { DBPM_SHARD: `${index}/${count}`, ...envOf(index) },
      }),
    ),
  );
}
