import { randomUUID } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { setTimeout as wait } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type Fault, type Faults, isAnswering } from './faults.ts';
import type { SimulatedAccount } from './model/account.ts';
import type { KeyRing } from './model/api-key.ts';
import { Refusal } from './model/refusal.ts';
import { type BodyFields, readRequestBody } from './request-body.ts';
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
  await replyJson(request, response, route.status ?? 200, answer);
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

/** Throws a 400 `Refusal` for the first field that is not `known`; it names the most similar one that is. */
function refuseUnknownFields(fields: BodyFields, known: readonly string[]): void {
  const unknown = Object.keys(fields).find(name => !known.includes(name));
  if (unknown === undefined) return;
  const bySimilarity = known.toSorted(
    (left, right) => measureSimilarity(unknown, right) - measureSimilarity(unknown, left),
  );
  throw new Refusal(
    400,
    `there is no field ${unknown}: did you mean ${bySimilarity[0]}? All fields: ${known.join(', ')}`,
  );
}

/** From 0 for no pair of neighbouring letters in common to 1 for all (Dice's coefficient). */
function measureSimilarity(left: string, right: string): number {
  const [leftPairs, rightPairs] = [listPairs(left), listPairs(right)];
  const inCommon = [...leftPairs].filter(pair => rightPairs.has(pair));
  return (2 * inCommon.length) / (leftPairs.size + rightPairs.size);
}

/** With a mark at either end, so that a word of one letter has pairs and first letters count. */
function listPairs(word: string): Set<string> {
  const marked = `^${word.toLowerCase()}$`;
  return new Set(Array.from({ length: marked.length - 1 }, (_, index) => marked.slice(index, index + 2)));
}

/** Throws a 401 `Refusal` unless the request carries a valid key; notes the key's use. */
function authenticate(keys: KeyRing, request: IncomingMessage): void {
  const [, secret] = /^bearer +(\S+)$/i.exec(request.headers.authorization ?? '') ?? [];
  if (secret !== undefined && keys.use(secret, readClientAddress(request)) !== undefined) return;
  throw new Refusal(401, 'send "Authorization: Bearer <API_KEY>" with a key that is valid and not revoked', {
    'www-authenticate': 'Bearer',
  });
}

/** Throws a 403 `Refusal` for a control call that comes from elsewhere, or from a web page of elsewhere. */
function refuseStrangers(request: IncomingMessage): void {
  if (!isLoopback(request)) {
    throw new Refusal(403, 'the control calls answer only on loopback, to a loopback Host');
  }
  const { origin, host } = request.headers;
  // Browsers name the origin of the page in every request by which a page could change something.
  if (origin !== undefined && origin !== `http://${host}`) {
    throw new Refusal(403, `the control calls do not answer web pages of another origin, such as ${origin}`);
  }
}

/** Behind proxies the whole chain, client first and without spaces, as seen on live services. */
function readClientAddress({ headers, socket }: IncomingMessage): string {
  const chain = String(headers['x-forwarded-for'] ?? '').replace(/\s+/g, '');
  return chain || readPeerAddress(socket);
}

/** Where the connection comes from; an IPv4 address as such on a socket for both versions, too. */
function readPeerAddress({ remoteAddress = '' }: IncomingMessage['socket']): string {
  return remoteAddress.replace(/^::ffff:/, '');
}

/** A Host check besides the address, so that no web page can reach it through a name that resolves to loopback. */
function isLoopback({ headers, socket }: IncomingMessage): boolean {
  const address = readPeerAddress(socket);
  const host = (headers.host ?? '').replace(/:\d+$/, '');
  return (
    (address.startsWith('127.') || address === '::1') && /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/i.test(host)
  );
}

const compress = promisify(gzip);
const worthCompressingBytes = 1024;

/** Sends JSON, compressed if it is large and the client accepts gzip. Headers that are already set stay. */
async function replyJson(
  request: IncomingMessage,
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  let bytes: Buffer = Buffer.from(JSON.stringify(body));
  const isCompressed = bytes.length > worthCompressingBytes && acceptsGzip(request);
  if (isCompressed) bytes = await compress(bytes, { level: 1 });
  setMissingHeaders(response, {
    'content-type': 'application/json; charset=utf-8',
    vary: 'accept-encoding',
    ...(isCompressed && { 'content-encoding': 'gzip' }),
    ...headers,
  });
  response.writeHead(status, { 'content-length': bytes.length });
  response.end(bytes);
}

/** Sets those headers that the response does not have yet. */
function setMissingHeaders(response: ServerResponse, headers: Readonly<Record<string, string>>): void {
  for (const [name, value] of Object.entries(headers)) {
    if (!response.hasHeader(name)) response.setHeader(name, value);
  }
}

/** Sends the answer of a fault as it is. */
function replyFault(response: ServerResponse, fault: Fault): void {
  const bytes = Buffer.from(fault.body ?? '');
  const headers = { 'content-type': 'application/json', ...fault.headers };
  const status = fault.status ?? 200;
  if (fault.close && bytes.length === 0) {
    response.destroy();
  } else if (fault.close) {
    response.writeHead(status, { ...headers, 'content-length': bytes.length });
    response.write(bytes.subarray(0, Math.ceil(bytes.length / 2)), () => response.destroy());
  } else {
    const hasLength = status !== 204 && status !== 304;
    response.writeHead(status, { ...(hasLength && { 'content-length': bytes.length }), ...headers });
    response.end(bytes);
  }
}

function acceptsGzip(request: IncomingMessage): boolean {
  const accepted = String(request.headers['accept-encoding'] ?? '').toLowerCase();
  return accepted.split(',').some(item => /^\s*(gzip|\*)\s*(;(?!\s*q=0(\.0*)?\s*$).*)?$/.test(item));
}
