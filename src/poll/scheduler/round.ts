import { minuteMs } from '../../resources/duration.ts';
import { spareShare } from './budget-share.ts';

/** The time in which what is busy or failed is polled once: how long it lasts, and what was spent in it. */
export class Round {
  /** From one round to the next, as scheduled: the first one comes at once, whenever that is. */
  readonly intervalMs: number;
  #startedAt: number | undefined;
  #budgetPerMinute: number;
  #requests = 0;

  constructor(budgetPerMinute: number, intervalMs: number) {
    this.#budgetPerMinute = budgetPerMinute;
    this.intervalMs = intervalMs;
  }

  get budgetPerMinute(): number {
    return this.#budgetPerMinute;
  }

  /** Whether the round began after an instant; undefined for what never was. Before the first round, nothing is due. */
  isAfter(at: number | undefined): boolean {
    return this.#startedAt !== undefined && (at === undefined || at < this.#startedAt);
  }

  /** @param budgetPerMinute what the account allows itself now; 0 while it is paused, which says nothing of later. */
  begin(now: number, budgetPerMinute: number): void {
    if (budgetPerMinute > 0) this.#budgetPerMinute = budgetPerMinute;
    this.#startedAt = now;
    this.#requests = 0;
  }

  spend(requests: number): void {
    this.#requests += requests;
  }

  /** Whether so many requests may go to what is not yet due. */
  maySpare(requests: number): boolean {
    return this.#requests + requests <= (this.#budgetPerMinute * spareShare * this.intervalMs) / minuteMs;
  }
}
