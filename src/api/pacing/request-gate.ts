import type { BudgetState } from '../../resources/budget-state.ts';
import {
  allowedPerMinute,
  budgetState,
  nextTokenAt,
  openBudget,
  type RequestBudget,
  resumeBudget,
  settleBudget,
  slowDown,
  takeToken,
} from './request-budget.ts';

/**
 * `urgent`: reading a project to which something just happened. `list`: the account's own lists, which tell what
 * changed. `refresh`: re-reading one project.
 */
export type Priority = 'urgent' | 'list' | 'refresh';

/** Resolves after `ms` milliseconds; rejects as soon as the signal aborts. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>;

export interface GateOptions {
  readonly requestsPerMinute: number;
  /** A pause longer than this is not waited for. */
  readonly longestWaitMs: number;
  /** What an earlier run left. */
  readonly budget?: BudgetState;
  readonly now: () => number;
  readonly sleep: Sleep;
}

interface Waiter {
  admit(pausedUntil: number | undefined): void;
  fail(reason: unknown): void;
}

/** So many others pass in a row before a waiting refresh does. */
const othersInARow = 4;
/** So many urgent ones pass in a row before a waiting list does. */
const urgentInARow = 3;

/**
 * Lets requests pass at the pace of an account's budget: urgent ones first, then lists, each kind in order of arrival,
 * none starved.
 */
export class RequestGate {
  readonly #options: GateOptions;
  readonly #urgent = new Set<Waiter>();
  readonly #lists = new Set<Waiter>();
  readonly #refreshes = new Set<Waiter>();
  #budget: RequestBudget;
  #passedOthers = 0;
  #passedUrgent = 0;
  #serving: AbortController | undefined;
  #closed: Error | undefined;

  constructor(options: GateOptions) {
    this.#options = options;
    const { requestsPerMinute, budget, now } = options;
    this.#budget = budget
      ? resumeBudget(requestsPerMinute, budget, now())
      : openBudget(requestsPerMinute, now());
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
    const waiters = this.#waiters(priority);
    const waiter: Waiter = { admit: resolve, fail: reject };
    const leave = () => {
      waiters.delete(waiter);
      this.#stopWhenIdle();
      reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    waiters.add(waiter);
    this.#start();
    return promise.finally(() => signal.removeEventListener('abort', leave));
  }

  /** Heeds a 429 to a request sent at `sentAt`: nothing passes before `retryAt` (both epoch milliseconds). */
  slowDown(refused: { readonly sentAt: number; readonly retryAt: number }): void {
    this.#budget = slowDown(this.#budget, refused, this.#options.now());
    const pausedUntil = this.#longPauseEnd();
    if (pausedUntil === undefined) return;
    for (const waiter of this.#empty()) waiter.admit(pausedUntil);
  }

  /** Requests a minute the account allows itself now; 0 while it is paused. */
  perMinute(): number {
    return allowedPerMinute(this.#budget, this.#options.now());
  }

  /** What a later run may go on from. */
  state(): BudgetState {
    return budgetState(settleBudget(this.#budget, this.#options.now()));
  }

  /** Fails everyone who waits, and everyone who comes later, with `error`. */
  close(error: Error): void {
    this.#closed = error;
    for (const waiter of this.#empty()) waiter.fail(error);
  }

  /** Whoever comes while nobody waits and there is a token passes at once. */
  #takeUnlessOthersWait(): boolean {
    const budget = this.#serving === undefined ? takeToken(this.#budget, this.#options.now()) : undefined;
    if (budget === undefined) return false;
    this.#budget = budget;
    this.#passedOthers = 0;
    this.#passedUrgent = 0;
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

  /** Runs while someone waits: whoever empties the queue stops it. */
  async #serve(stopped: AbortSignal): Promise<void> {
    while (!stopped.aborted) {
      const now = this.#options.now();
      const budget = takeToken(this.#budget, now);
      if (budget === undefined) {
        await this.#sleepUntilToken(now, stopped);
      } else {
        this.#budget = budget;
        this.#next()?.admit(undefined);
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

  #waiters(priority: Priority): Set<Waiter> {
    if (priority === 'urgent') return this.#urgent;
    return priority === 'list' ? this.#lists : this.#refreshes;
  }

  #next(): Waiter | undefined {
    const waiters = this.#waiters(this.#nextPriority());
    this.#passedOthers = waiters !== this.#refreshes && this.#refreshes.size > 0 ? this.#passedOthers + 1 : 0;
    this.#passedUrgent = waiters === this.#urgent && this.#lists.size > 0 ? this.#passedUrgent + 1 : 0;
    const [first] = waiters;
    if (first !== undefined) waiters.delete(first);
    return first;
  }

  #nextPriority(): Priority {
    if (this.#refreshes.size > 0 && this.#passedOthers >= othersInARow) return 'refresh';
    if (this.#lists.size > 0 && this.#passedUrgent >= urgentInARow) return 'list';
    if (this.#urgent.size > 0) return 'urgent';
    return this.#lists.size > 0 ? 'list' : 'refresh';
  }

  #longPauseEnd(): number | undefined {
    const now = this.#options.now();
    this.#budget = settleBudget(this.#budget, now);
    const { pausedUntil } = this.#budget;
    return pausedUntil - now > this.#options.longestWaitMs ? pausedUntil : undefined;
  }

  #empty(): readonly Waiter[] {
    const waiters = [...this.#urgent, ...this.#lists, ...this.#refreshes];
    this.#urgent.clear();
    this.#lists.clear();
    this.#refreshes.clear();
    this.#stopWhenIdle();
    return waiters;
  }

  #stopWhenIdle(): void {
    if (this.#urgent.size + this.#lists.size + this.#refreshes.size > 0) return;
    this.#serving?.abort();
    this.#serving = undefined;
  }
}
