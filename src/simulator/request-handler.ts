import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { authenticate, refuseStrangers } from './access.ts';
import { type Faults, isAnswering } from './faults.ts';
import { refuseUnknownFields } from './field-name.ts';
import type { SimulatedAccount } from './model/account.ts';
import { Refusal } from './model/refusal.ts';
import { replyFault, replyJson, setMissingHeaders } from './reply.ts';
import { readRequestBody } from './request-body.ts';
import { findRoute, type Route } from './router.ts';

export interface HandlerOptions {
  readonly account: SimulatedAccount;
  readonly faults: Faults;
  readonly serviceRoutes: readonly Route[];
  readonly controlRoutes: readonly Route[];
  /** Lets everything happen that is due by now. */
  readonly catchUp: () => void;
  /** Throws a `Refusal` when the account has called too often. */
  readonly limitRate: () => void;
  readonly latencyMs: number;
  /** Ends all waiting when the simulator is closed. */
  readonly closed: AbortSignal;
}

const serviceRoot = '/api/v2';
const controlRoot = '/_sim';

/** Answers a request from start to end; never rejects. */
export async function handleRequest(
  options: HandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  // The Date header has the virtual time, because clients compare timestamps with it.
  response.sendDate = false;
  try {
    const url = parseTarget(request.url ?? '/');
    options.catchUp();
    if (url.pathname.startsWith(`${controlRoot}/`))
      return await answerControl(options, request, response, url);
    if (url.pathname.startsWith(`${serviceRoot}/`))
      return await answerService(options, request, response, url);
    throw new Refusal(404, `there is nothing at ${url.pathname}: the service is below ${serviceRoot}/`);
  } catch (error) {
    if (options.closed.aborted || response.headersSent) response.destroy();
    else await refuse(options, request, response, error);
  }
}

/** Slashes too many are forgiven, since a base address may end in one and a path begin with one. */
function parseTarget(target: string): URL {
  const url = target.startsWith('/') ? URL.parse(`http://simulator${target}`) : null;
  if (url === null) throw new Refusal(400, 'the request target must be a path');
  url.pathname = url.pathname.replaceAll(/\/{2,}/g, '/');
  return url;
}

async function answerService(
  options: HandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  const path = url.pathname.slice(serviceRoot.length);
  const fault = options.faults.take(request.method ?? '', path);
  const delayMs = options.latencyMs + (fault?.delay_ms ?? 0);
  if (delayMs > 0) await wait(delayMs, undefined, { signal: options.closed });
  if (fault !== undefined && isAnswering(fault)) {
    stampDate(options, response);
    return replyFault(response, fault);
  }
  setMissingHeaders(response, fault?.headers ?? {});
  authenticate(options.account.keys, request);
  options.limitRate();
  await answerRoute(options, options.serviceRoutes, path, request, response, url);
}

async function answerControl(
  options: HandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
): Promise<void> {
  refuseStrangers(request);
  const path = url.pathname.slice(controlRoot.length);
  await answerRoute(options, options.controlRoutes, path, request, response, url);
}

async function answerRoute(
  options: HandlerOptions,
  routes: readonly Route[],
  path: string,
  request: IncomingMessage,
  response: ServerResponse,
  { searchParams: query }: URL,
): Promise<void> {
  const method = request.method ?? '';
  const { route, params } = findRoute(routes, method, path);
  const body = method === 'POST' || method === 'PATCH' ? await readRequestBody(request) : {};
  if (route.fields !== undefined) refuseUnknownFields(body, route.fields);
  options.catchUp();
  const answer = route.answer({ query, body, param: name => params.get(name) ?? '' });
  stampDate(options, response);
  await replyJson(request, response, answer.status, answer.body);
}

async function refuse(
  options: HandlerOptions,
  request: IncomingMessage,
  response: ServerResponse,
  error: unknown,
): Promise<void> {
  const refusal =
    error instanceof Refusal ? error : new Refusal(500, `the simulator failed: ${describe(error)}`);
  stampDate(options, response);
  const body = { request_id: randomUUID(), code: '', message: refusal.message };
  await replyJson(request, response, refusal.status, body, refusal.headers).catch(() => response.destroy());
}

function stampDate({ account }: HandlerOptions, response: ServerResponse): void {
  setMissingHeaders(response, { date: new Date(account.timeline.now * 1000).toUTCString() });
}

function describe(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
