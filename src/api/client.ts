import { apiKeyList } from '../resources/api-key.ts';
import type { RequestBudgetState } from '../resources/request-budget.ts';
import {
  type ApiAttempt,
  type ClientOptions,
  type CompleteOptions,
  completeOptions,
} from './client-options.ts';
import { readAnswer, type ServedDocument } from './message/answer.ts';
import { ApiError, isTemporary, oneLine } from './message/api-error.ts';
import { checkBaseUrl } from './message/base-url.ts';
import { authorizationHeader, requestPath, requestQuery, type Target } from './message/request.ts';
import { pauseError } from './message/status-error.ts';
import { type Priority, RequestGate } from './pacing/request-gate.ts';
import { PathPause, type PausingError, retryDelayMs } from './pacing/retry-timing.ts';
import { AnswerDate, type DatedAnswer, type ExpectedAnswer } from './pacing/service-clock.ts';
import { Connections } from './transport/connections.ts';
import { exchange } from './transport/exchange.ts';
import { Mutex } from './transport/response-body.ts';
import { transportError } from './transport/transport-error.ts';

export interface GetRequest extends Target {
  readonly query?: Readonly<Record<string, string>>;
  readonly priority: Priority;
  readonly signal: AbortSignal;
}

/** Reads one account of the service: within its budget, with retries, and never earlier than the service asked for. */
export class ApiClient {
  /** Routes whose `limit` the service refused; the list walk fills it in. */
  readonly routesWithoutLimit = new Set<string>();
  readonly org_id: string | undefined;
  readonly #options: CompleteOptions;
  readonly #basePath: string;
  readonly #origin: string;
  readonly #largeBodies = new Mutex();
  readonly #connections: Connections;
  readonly #gate: RequestGate;
  readonly #pathPause = new PathPause();
  /** The key of the last request: a pause is one of it alone. */
  #usedKey: string | undefined;
  readonly #dates: AnswerDate<GetRequest>;

  constructor(options: ClientOptions) {
    const url = checkBaseUrl(String(options.base_url));
    if (typeof url === 'string') throw new TypeError(`base_url ${url}`);
    this.#options = completeOptions(options);
    this.org_id = options.org_id;
    this.#basePath = url.pathname.slice(0, -1);
    this.#gate = new RequestGate(this.#options);
    this.#dates = new AnswerDate(this.#options, {
      again: request => this.#read(request),
      keys: ({ signal }) => this.#read({ route: apiKeyList.route, priority: 'urgent', signal }),
    });
    this.#origin = url.origin;
    this.#connections = new Connections(url, this.#options);
  }

  /**
   * GETs a JSON document. Throws an ApiError, or the signal's reason promptly when it aborts.
   * A date that is not believed is replaced by the instant the service's clock should show.
   * Where the service asked to wait, short waits are waited for; during a long one it throws at once, unsent.
   */
  async get(request: GetRequest): Promise<ServedDocument> {
    const answer = await this.#read(request);
    return { body: answer.body, servedAt: await this.#dates.find(answer, request) };
  }

  async #read(request: GetRequest): Promise<ExpectedAnswer> {
    const path = this.#basePath + requestPath(request);
    const { now, sleep, maxAttempts, longestReadMs, longestWaitMs } = this.#options;
    let leftMs = longestReadMs;
    for (let attempt = 1; ; attempt += 1) {
      await this.#admit(request, path);
      const sentAt = now();
      const expectedAt = this.#dates.estimate(sentAt);
      const outcome = await this.#attempt(request, path, leftMs);
      if (!(outcome instanceof ApiError)) return { ...outcome, expectedAt };
      const waitMs = this.#handle(outcome, { path, sentAt, attempt });
      if (!isTemporary(outcome.reason) || attempt >= maxAttempts) throw outcome;
      leftMs -= Math.max(0, now() - sentAt) + waitMs;
      if (waitMs > longestWaitMs || leftMs <= 0) throw outcome;
      await sleep(waitMs, request.signal);
    }
  }

  /** Requests a minute the account allows itself now; 0 while the service has it paused. */
  budgetPerMinute(): number {
    return this.#gate.perMinute();
  }

  /** Until when the service wants not to be asked for a route without placeholders; undefined when it may be. */
  pausedUntil(route: string): number | undefined {
    return this.#pauseEnd(this.#basePath + route);
  }

  /** The state of the budget that a later run may go on from. */
  budget(): RequestBudgetState {
    return this.#gate.state();
  }

  /** Fails what waits or is under way, and closes all connections. */
  async close(): Promise<void> {
    const closed = new Error('the API client is closed');
    this.#gate.close(closed);
    await this.#connections.destroy(closed);
  }

  #pauseEnd(path: string): number | undefined {
    const now = this.#options.now();
    const pathEnd = this.#pathPause.get(path, now)?.retryAt ?? now;
    const untilAt = Math.max(pathEnd, this.#gate.state().pausedUntil);
    return untilAt > now ? untilAt : undefined;
  }

  async #admit({ route, priority, signal }: GetRequest, path: string): Promise<void> {
    const { now, longestWaitMs } = this.#options;
    this.#liftOldPause(route, path);
    const pauseNow = () => this.#pathPause.get(path, now());
    for (let pause = pauseNow(); pause !== undefined; pause = pauseNow()) {
      const waitMs = pause.retryAt - now();
      if (waitMs > longestWaitMs) throw pauseError(pause.reason, route, pause.retryAt, pause.status);
      await this.#options.sleep(waitMs, signal);
    }
    const pausedUntil = await this.#gate.take(priority, signal);
    if (pausedUntil !== undefined) throw pauseError('rate_limited', route, pausedUntil, 429);
  }

  /** Sends one request. Answers the document, or the ApiError that says why there is none; throws anything else. */
  async #attempt(request: GetRequest, path: string, longestMs: number): Promise<DatedAnswer | ApiError> {
    const { route, query, signal } = request;
    const { longestErrorBodyMs, longestPauseMs, maxBodyBytes, now, onAttempt, timeouts, userAgent } =
      this.#options;
    const apiKey = this.#readApiKey(route);
    const authorization = authorizationHeader(apiKey, route);
    this.#usedKey = apiKey;
    const startedAt = performance.now();
    const tell = (outcome: ApiAttempt['outcome'], date: Pick<ApiAttempt, 'dateAt'> = {}) =>
      onAttempt({ route, outcome, durationMs: performance.now() - startedAt, ...date });
    const outcome = await exchange(this.#connections.dispatcher, {
      origin: this.#origin,
      path: path + requestQuery(query),
      authorization,
      userAgent,
      bodies: { maxBodyBytes, largeBodies: this.#largeBodies },
      totalTimeoutMs: Math.min(timeouts.totalTimeoutMs, longestMs),
      longestErrorBodyMs,
      signal,
    })
      .then(
        answer => readAnswer(answer, { route, apiKey, org_id: this.org_id, now: now(), longestPauseMs }),
        error => {
          signal.throwIfAborted();
          return transportError(error, route, apiKey, maxBodyBytes);
        },
      )
      .catch(error => {
        if (!signal.aborted) tell('internal');
        throw error;
      });
    if (outcome instanceof ApiError) tell(outcome.reason);
    else tell('ok', outcome.servedAt === undefined ? {} : { dateAt: outcome.servedAt });
    return outcome;
  }

  /** Remembers what a failure says about later requests; answers how long this one has to wait, in milliseconds. */
  #handle(error: ApiError, sent: { path: string; sentAt: number; attempt: number }): number {
    const now = this.#options.now();
    const delayMs = retryDelayMs(sent.attempt, this.#options.random);
    if (error.reason === 'rate_limited') {
      this.#gate.slowDown({ sentAt: sent.sentAt, retryAt: error.retryAt ?? now + delayMs });
    } else if (isPausing(error)) {
      this.#pathPause.set(sent.path, error, now);
    }
    return Math.max(delayMs, (error.retryAt ?? now) - now);
  }

  /** A pause ends with the key it was asked of. */
  #liftOldPause(route: string, path: string): void {
    if (this.#usedKey === undefined || this.#pauseEnd(path) === undefined) return;
    if (this.#usedKey === this.#readApiKey(route)) return;
    this.#gate.lift();
    this.#pathPause.lift();
  }

  #readApiKey(route: string): string {
    try {
      return this.#options.readApiKey();
    } catch (error) {
      const problem = error instanceof Error ? error.message : 'it has no value';
      const message = `GET ${route} was not sent: the API key cannot be read: ${oneLine(problem, '')}`;
      throw new ApiError('unauthorized', route, message);
    }
  }
}

function isPausing(error: ApiError): error is PausingError {
  return error.retryAt !== undefined;
}
