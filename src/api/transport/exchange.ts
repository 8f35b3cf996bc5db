import type { Dispatcher } from 'undici';
import { acceptedEncodings, type BodyBounds, type EncodedBody, readResponseBody } from './response-body.ts';
import { TotalTimeoutError } from './transport-error.ts';

interface Listening {
  readonly handlers: Set<() => void>;
  readonly listener: () => void;
}

const listeningTo = new WeakMap<AbortSignal, Listening>();

/**
 * Calls `handle` once when the signal aborts. Hundreds of requests are under way under one signal, and a signal looks
 * through all its listeners for each that comes and goes: so they share one.
 *
 * @returns ends the listening when it is called.
 */
export function listenForAbort(signal: AbortSignal, handle: () => void): () => void {
  const { handlers, listener } = listeningTo.get(signal) ?? listenTo(signal);
  // Wrapped, so that each call has an entry of its own.
  const entry = () => handle();
  handlers.add(entry);
  return () => {
    handlers.delete(entry);
    if (handlers.size > 0 || !listeningTo.delete(signal)) return;
    signal.removeEventListener('abort', listener);
  };
}

function listenTo(signal: AbortSignal): Listening {
  const handlers = new Set<() => void>();
  const listener = () => {
    listeningTo.delete(signal);
    for (const handle of handlers) handle();
  };
  const listening = { handlers, listener };
  listeningTo.set(signal, listening);
  signal.addEventListener('abort', listener, { once: true });
  return listening;
}

export interface Timeouts {
  readonly connectTimeoutMs: number;
  /** From the request to the end of the answer's headers. */
  readonly headersTimeoutMs: number;
  /** Between two pieces of the answer's body. */
  readonly bodyTimeoutMs: number;
  /** From the request to the end of the answer. */
  readonly totalTimeoutMs: number;
}

export interface ExchangeRequest {
  /** Scheme, host and port. */
  readonly origin: string;
  /** Path and query, encoded. */
  readonly path: string;
  /** Absent where no login is wanted. */
  readonly authorization?: string | undefined;
  /** Posted with its headers; the request is a GET without it. */
  readonly posted?: { readonly headers: Readonly<Record<string, string>>; readonly body: Uint8Array };
  readonly userAgent: string;
  readonly bodies: BodyBounds;
  readonly totalTimeoutMs: number;
  readonly longestErrorBodyMs: number;
  readonly signal: AbortSignal;
}

export interface HttpAnswer {
  readonly status: number;
  readonly date: string | undefined;
  readonly retryAfter: string | undefined;
  readonly contentType: string | undefined;
  /** The body; undefined where the status alone tells and the body could not be read. */
  readonly text: string | undefined;
}

/** An error body is read for its one sentence; a longer one is a page for people. */
const maxErrorBodyBytes = 64 * 1024;

/**
 * Sends one request and reads its answer, of any status; redirects are answers like any other.
 * Throws the signal's reason as soon as it aborts, TotalTimeoutError, or what the transport throws.
 */
export async function exchange(dispatcher: Dispatcher, request: ExchangeRequest): Promise<HttpAnswer> {
  const { signal, totalTimeoutMs } = request;
  signal.throwIfAborted();
  const controller = new AbortController();
  const { promise, resolve, reject } = Promise.withResolvers<HttpAnswer>();
  // A request that still waits for its connection does not hear the signal, so its caller must not wait for it.
  const abort = (reason: unknown) => {
    controller.abort(reason);
    reject(reason);
  };
  const stopListening = listenForAbort(signal, () => abort(signal.reason));
  const timer = setTimeout(() => {
    abort(new TotalTimeoutError(`not finished after ${Math.round(totalTimeoutMs)} ms`));
  }, totalTimeoutMs);
  send(dispatcher, request, controller.signal).then(resolve, reject);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stopListening();
  }
}

async function send(
  dispatcher: Dispatcher,
  request: ExchangeRequest,
  signal: AbortSignal,
): Promise<HttpAnswer> {
  const { authorization, posted } = request;
  const response = await dispatcher.request({
    origin: request.origin,
    method: posted === undefined ? 'GET' : 'POST',
    path: request.path,
    headers: {
      accept: 'application/json',
      'accept-encoding': acceptedEncodings,
      ...(authorization !== undefined && { authorization }),
      'user-agent': request.userAgent,
      ...posted?.headers,
    },
    body: posted?.body ?? null,
    signal,
  });
  const { statusCode: status, headers, body: stream } = response;
  const answer = {
    status,
    date: firstValue(headers.date),
    retryAfter: firstValue(headers['retry-after']),
    contentType: firstValue(headers['content-type']),
  };
  const contentEncoding = firstValue(headers['content-encoding']);
  const body = { stream, contentEncoding, contentLength: firstValue(headers['content-length']) };
  if (status >= 200 && status < 300) return { ...answer, text: await readResponseBody(body, request.bodies) };
  return { ...answer, text: await readErrorBody(body, request) };
}

/** The body of an error as far as it comes soon: the status has told what matters. */
async function readErrorBody(
  body: EncodedBody,
  { bodies, longestErrorBodyMs }: ExchangeRequest,
): Promise<string | undefined> {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  const timer = setTimeout(() => resolve(undefined), longestErrorBodyMs);
  const read = readResponseBody(body, {
    ...bodies,
    maxBodyBytes: Math.min(bodies.maxBodyBytes, maxErrorBodyBytes),
  }).catch(() => undefined);
  const text = await Promise.race([read, promise]);
  clearTimeout(timer);
  if (text === undefined) body.stream.on('error', () => {}).destroy();
  return text;
}

/** A header that is sent twice comes as an array, though its type says otherwise. */
function firstValue(header: string | readonly string[] | undefined): string | undefined {
  return typeof header === 'string' ? header : header?.[0];
}
