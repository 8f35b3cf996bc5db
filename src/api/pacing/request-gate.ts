import type { RequestBudgetState } from '../../resources/request-budget-state.ts';
import {
  allowedPerMinute,
  budgetState,
  nextTokenAt,
  openBudget,
  type RequestBudget,
  resumeBudget,
  settleBudget,
  shareBurst,
  takeToken,
} from './request-budget.ts';
import { type Priority, RequestQueue } from './request-queue.ts';
import { slowDown } from './slow-down.ts';

/** Resolves after `ms` milliseconds; rejects as soon as the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface GateOptions {
  readonly requestsPerMinute: number;
  /** How many clients like this one share what may be sent at once; 1 by default. */
  readonly sharers?: number;
  /** A pause longer than this is not waited for. */
  readonly longestWaitMs: number;
  /** The budget an earlier run left. */
  readonly budget?: RequestBudgetState;
  readonly now: () => number;
  readonly sleep: Sleep;
}

interface Waiter {
  admit(pausedUntil: number | undefined): void;
  fail(reason: unknown): void;
}

/** Lets requests pass at the pace of an account's budget, in the order of their queue. */
export class RequestGate {
  readonly #options: GateOptions;
  readonly #queue = new RequestQueue<Waiter>();
  #budget: RequestBudget;
  #serving: AbortController | undefined;
  #closed: Error | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
    const { requestsPerMinute, budget, now, sharers = 1 } = options;
    const opened = budget
      ? resumeBudget(requestsPerMinute, budget, now())
      : openBudget(requestsPerMinute, now());
    this.#budget = shareBurst(opened, sharers);
  }

  /**
   * Waits for a token. Resolves to undefined with the token taken, or to the epoch milliseconds the account is paused
   * until, when that is too far away to wait for. Rejects with the signal's reason, or with the error of `close`.
   */
  take(priority: Priority, signal: AbortSignal): Promise<number | undefined> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#closed !== undefined) return Promise.reject(this.#closed);
    const pausedUntil = this.#longPauseEnd();
    if (pausedUntil !== undefined) return Promise.resolve(pausedUntil);
    if (this.#takeUnlessOthersWait()) return Promise.resolve(undefined);
    const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
    const waiter: Waiter = { admit: resolve, fail: reject };
    const leave = () => {
      this.#queue.remove(priority, waiter);
      this.#stopWhenIdle();
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    this.#queue.add(priority, waiter);
    this.#start();
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }

  /** Handles a 429 to a request sent at `sentAt`: nothing passes before `retryAt` (both epoch milliseconds). */
  slowDown(refused: { readonly sentAt: number; readonly retryAt: number }): void {
    this.#budget = slowDown(this.#budget, refused, this.#options.now());
    const pausedUntil = this.#longPauseEnd();
    if (pausedUntil === undefined) return;
    for (const waiter of this.#empty()) waiter.admit(pausedUntil);
  }

  /** Ends a pause; the pace stays as it is. */
  lift(): void {
    const now = this.#options.now();
    this.#budget = { ...settleBudget(this.#budget, now), pausedUntil: now };
  }

  /** Requests a minute the account allows itself now; 0 while it is paused. */
  perMinute(): number {
    return allowedPerMinute(this.#budget, this.#options.now());
  }

  /** The state of the budget that a later run may go on from. */
  state(): RequestBudgetState {
    return budgetState(settleBudget(this.#budget, this.#options.now()));
  }

  /** Fails everyone who waits, and everyone who comes later, with `error`. */
  close(error: Error): void {
    this.#closed = error;
    for (const waiter of this.#empty()) waiter.fail(error);
  }

  /** Takes a token at once where there is one and nobody waits. */
  #takeUnlessOthersWait(): boolean {
    const budget = this.#serving === undefined ? takeToken(this.#budget, this.#options.now()) : undefined;
    if (budget === undefined) return false;
    this.#budget = budget;
    this.#queue.skip();
    return true;
  }

  #start(): void {
    if (this.#serving !== undefined) return;
    const serving = new AbortController();
    this.#serving = serving;
    this.#serve(serving.signal).catch(error => {
      for (const waiter of this.#empty()) waiter.fail(error);
    });
  }

  /** Runs while someone waits; emptying the queue stops it. */
  async #serve(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const now = this.#options.now();
      const budget = takeToken(this.#budget, now);
      if (budget === undefined) {
        await this.#sleepUntilToken(now, stopped);
      } else {
        this.#budget = budget;
        this.#queue.next()?.admit(undefined);
        this.#stopWhenIdle();
      }
    }
  }

  async #sleepUntilToken(now: number, stopped: AbortSignal): Promise<void> {
    const waitMs = Math.min(nextTokenAt(this.#budget, now) - now, this.#options.longestWaitMs);
    await this.#options.sleep(waitMs, stopped).catch(error => {
      if (!stopped.aborted) throw error;
    });
  }

  #longPauseEnd(): number | undefined {
    const now = this.#options.now();
    this.#budget = settleBudget(this.#budget, now);
    const { pausedUntil } = this.#budget;
    return pausedUntil - now > this.#options.longestWaitMs ? pausedUntil : undefined;
  }

  #empty(): readonly Waiter[] {
    const waiters = this.#queue.takeAll();
    this.#stopWhenIdle();
    return waiters;
  }

  #stopWhenIdle(): void {
    if (this.#queue.size > 0) return;
    this.#serving?.abort();
    this.#serving = undefined;
  }
}
