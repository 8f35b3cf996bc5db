import type { RequestListener } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { inject, type Response } from 'light-my-request';
import { Dispatcher } from 'undici';
import type { Random } from '../../src/simulator/model/random.ts';
import { makeService, type SimulatedService, type SimulatorOptions } from '../../src/simulator/server.ts';
import type { Truth } from '../support/truth.ts';
import type { Asker, World } from '../world/world.ts';
import { Life } from './life.ts';
import { noteActivity } from './virtual-time.ts';

export const serviceKey = 'simulation-0d6b1c7f4a92e853';

const nextTurn = globalThis.setImmediate;
/** Ports name the ways; nothing listens there. */
const firstPort = 1000;

/** A way to the service: its address, and whether anything comes through. */
export interface Way {
  readonly base_url: string;
  isCut: boolean;
  /** Told of each answer that the service gives by this way; it may be lost on it. */
  onAnswer?: (path: string, answer: WireAnswer) => void;
}

/** An answer as far as tests look at it. */
export type WireAnswer = Pick<Response, 'statusCode' | 'headers' | 'payload'>;

interface Parts {
  readonly service: SimulatedService;
  readonly random: Random;
  readonly longestWayMs: number;
  readonly closing: AbortController;
  /** Since when its clock stands still, and for how long it did before, in epoch milliseconds. */
  readonly clock: { stoppedAt: number | undefined; lostMs: number };
}

/** A simulated service that is reached without a network, by as many ways as there are daemons. */
export class VirtualService implements World {
  readonly base_url = `http://127.0.0.1:${firstPort}/api/v2/`;
  readonly #ways = new Map<string, Way>();
  readonly #parts: Parts;
  /** When each request of a daemon came, in epoch milliseconds. */
  readonly requestedAt: number[] = [];
  /** How often a page of the list of projects was asked for. */
  listPolls = 0;
  /** How often each status was answered. */
  readonly answers = new Map<number, number>();

  private constructor(parts: Parts) {
    this.#parts = parts;
  }

  static async open(
    options: Omit<SimulatorOptions, 'apiKey' | 'wallClock'>,
    network: Pick<Parts, 'random' | 'longestWayMs'>,
  ) {
    const clock: Parts['clock'] = { stoppedAt: undefined, lostMs: 0 };
    const wallClock = () => clock.stoppedAt ?? Date.now() - clock.lostMs;
    const closing = new AbortController();
    const service = await makeService({ ...options, apiKey: serviceKey, wallClock }, closing.signal);
    return new VirtualService({ ...network, service, clock, closing });
  }

  get account() {
    return this.#parts.service.account;
  }

  advance(seconds: number): void {
    this.#parts.service.advance(seconds);
  }

  /** Stops its clock, so that nothing happens but what is asked for; `thaw` lets it run on. */
  freeze(): void {
    this.#parts.clock.stoppedAt ??= Date.now() - this.#parts.clock.lostMs;
  }

  thaw(): void {
    const { stoppedAt } = this.#parts.clock;
    if (stoppedAt !== undefined) this.#parts.clock.lostMs = Date.now() - stoppedAt;
    this.#parts.clock.stoppedAt = undefined;
  }

  addWay(): Way {
    const origin = `http://127.0.0.1:${firstPort + this.#ways.size}`;
    const way: Way = { base_url: `${origin}/api/v2/`, isCut: false };
    this.#ways.set(origin, way);
    services.set(origin, this);
    return way;
  }

  /** Asks a control call or, by an absolute URL, the service; throws what the answer says when it refuses. */
  async call(
    method: string,
    path: string,
    body?: unknown,
    { key = serviceKey, from }: Asker = {},
  ): Promise<unknown> {
    const answer = await this.#answer(
      method,
      path.startsWith('http') ? new URL(path).pathname : `/_sim${path}`,
      { authorization: `Bearer ${key}`, ...(from !== undefined && { 'x-forwarded-for': from }) },
      body,
    );
    if (answer.statusCode >= 400)
      throw new Error(`${method} ${path} answered ${answer.statusCode}: ${answer.payload}`);
    return JSON.parse(answer.payload) as unknown;
  }

  async truth(): Promise<Truth> {
    return (await this.call('GET', '/truth')) as Truth;
  }

  close(): void {
    this.#parts.closing.abort();
    for (const origin of this.#ways.keys()) services.delete(origin);
  }

  /** Answers a request of a daemon; a request or an answer that is lost on its way rejects. */
  async exchange(origin: string, { method, path, headers }: Dispatcher.DispatchOptions) {
    const way = this.#ways.get(origin);
    await sleep(this.#drawWayMs());
    if (way?.isCut !== false) throw lost();
    this.requestedAt.push(Date.now());
    if (/\/projects(?:\?|$)/.test(path)) this.listPolls += 1;
    const { authorization = '' } = headers as Record<string, string>;
    const answer = await this.#answer(method, path, { authorization }).catch(() => {
      throw lost();
    });
    this.answers.set(answer.statusCode, (this.answers.get(answer.statusCode) ?? 0) + 1);
    way.onAnswer?.(path, answer);
    await sleep(this.#drawWayMs());
    if (way.isCut) throw lost();
    return answer;
  }

  #drawWayMs(): number {
    return this.#parts.random.integer(1, this.#parts.longestWayMs);
  }

  /** @returns the answer as the service gives it; rejects where it cuts the connection instead. */
  async #answer(method: string, url: string, headers: Record<string, string>, body?: unknown) {
    noteActivity();
    const cut = Promise.withResolvers<never>();
    cut.promise.catch(() => {});
    const handle: RequestListener = (request, response) => {
      response.once('close', () => nextTurn(() => cut.reject(lost())));
      this.#parts.service.handle(request, response);
    };
    const answer = inject(handle, {
      method: method as 'GET',
      url,
      headers,
      remoteAddress: '127.0.0.1',
      ...(body !== undefined && { payload: body as object }),
    });
    return await Promise.race([answer, cut.promise]).finally(noteActivity);
  }
}

const services = new Map<string, VirtualService>();

function lost(): Error {
  return Object.assign(new Error('the connection was cut'), { code: 'ECONNRESET' });
}

/** In place of the connections of a client: asks the service that is at an address. */
class VirtualDispatcher extends Dispatcher {
  readonly #origin: string;

  constructor(origin: string) {
    super();
    this.#origin = origin;
  }

  override dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): boolean {
    const life = Life.current;
    // What goes on in a dead one is not told.
    if (life?.isOver) return true;
    let reason: Error | null = null;
    const controller: Dispatcher.DispatchController = {
      get aborted() {
        return reason !== null;
      },
      paused: false,
      get reason() {
        return reason;
      },
      abort(error) {
        if (reason !== null) return;
        reason = error;
        handler.onResponseError?.(controller, error);
      },
      pause() {},
      resume() {},
    };
    handler.onRequestStart?.(controller, null);
    const service = services.get(this.#origin);
    if (service === undefined) throw new Error(`there is no service at ${this.#origin}`);
    const isHeard = () => reason === null && life?.isOver !== true;
    service.exchange(this.#origin, options).then(
      ({ statusCode, headers, rawPayload }) => {
        if (!isHeard()) return;
        handler.onResponseStart?.(controller, statusCode, headers as never, '');
        if (rawPayload.length > 0) handler.onResponseData?.(controller, rawPayload);
        handler.onResponseEnd?.(controller, {});
      },
      error => {
        if (isHeard()) handler.onResponseError?.(controller, error);
      },
    );
    return true;
  }

  override async close(): Promise<void> {}

  override async destroy(): Promise<void> {}
}

/** In place of `Connections`. */
export class VirtualConnections {
  readonly dispatcher: Dispatcher;

  constructor(url: URL) {
    this.dispatcher = new VirtualDispatcher(url.origin);
  }

  async destroy(error: Error): Promise<void> {
    await this.dispatcher.destroy(error);
  }
}
