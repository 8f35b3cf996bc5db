import type { RequestBudgetState } from '../../resources/request-budget.ts';
import {
  allowedPerMinute,
  budgetState,
  nextTokenAt,
  openBudget,
  type RequestBudget,
  resumeBudget,
  settleBudget,
  shareBurst,
  slowDown,
  takeToken,
} from './request-budget.ts';

/** Resolves after `ms` milliseconds; rejects as soon as the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

interface GateOptions {
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

  /** Fails all requests that wait or come later with `error`. */
  close(error: Error): void {
    this.#closed = error;
    for (const waiter of this.#empty()) waiter.fail(error);
  }

  /** Takes a token at once where there is one and no request waits. */
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

/**
 * `urgent`: polling a project to which something just happened. `list`: the account's own lists, which tell what
 * changed. `refresh`: polling a project again.
 */
export type Priority = 'urgent' | 'list' | 'refresh';

/** Others that pass in a row before a waiting refresh does. */
const othersInARow = 4;
/** Urgent ones that pass in a row before a waiting list does. */
const urgentInARow = 3;

/** Requests that wait: urgent ones first, then lists, each kind in order of arrival, none starved. */
class RequestQueue<Waiter> {
  readonly #waiters: Readonly<Record<Priority, Set<Waiter>>> = {
    urgent: new Set(),
    list: new Set(),
    refresh: new Set(),
  };
  #passedOthers = 0;
  #passedUrgent = 0;

  get size(): number {
    const { urgent, list, refresh } = this.#waiters;
    return urgent.size + list.size + refresh.size;
  }

  add(priority: Priority, waiter: Waiter): void {
    this.#waiters[priority].add(waiter);
  }

  remove(priority: Priority, waiter: Waiter): void {
    this.#waiters[priority].delete(waiter);
  }

  /** Takes out the one that passes next. */
  next(): Waiter | undefined {
    const { list, refresh } = this.#waiters;
    const priority = this.#nextPriority();
    this.#passedOthers = priority !== 'refresh' && refresh.size > 0 ? this.#passedOthers + 1 : 0;
    this.#passedUrgent = priority === 'urgent' && list.size > 0 ? this.#passedUrgent + 1 : 0;
    const waiters = this.#waiters[priority];
    const [first] = waiters;
    if (first !== undefined) waiters.delete(first);
    return first;
  }

  /** Notes a request that passed while none waited. */
  skip(): void {
    this.#passedOthers = 0;
    this.#passedUrgent = 0;
  }

  /** Takes out all, by priority. */
  takeAll(): readonly Waiter[] {
    const sets = Object.values(this.#waiters);
    const waiters = sets.flatMap(set => [...set]);
    for (const set of sets) set.clear();
    return waiters;
  }

  #nextPriority(): Priority {
    const { urgent, list, refresh } = this.#waiters;
    if (refresh.size > 0 && this.#passedOthers >= othersInARow) return 'refresh';
    if (list.size > 0 && this.#passedUrgent >= urgentInARow) return 'list';
    if (urgent.size > 0) return 'urgent';
    return list.size > 0 ? 'list' : 'refresh';
  }
}
