import { minuteMs } from '../resources/duration.ts';
import { spareShare } from './budget-share.ts';

/** Taken for the time between rounds until there were two. */
const firstIntervalMs = 30_000;

/** The time in which what is busy or failed is polled once: how long it lasts, and what was spent in it. */
export class Round {
  #startedAt: number | undefined;
  #intervalMs = firstIntervalMs;
  #budgetPerMinute: number;
  #requests = 0;

  constructor(budgetPerMinute: number) {
    this.#budgetPerMinute = budgetPerMinute;
  }

  /** From one round to the next, as it last was. */
  get intervalMs(): number {
    return this.#intervalMs;
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
    if (this.#startedAt !== undefined && now > this.#startedAt) this.#intervalMs = now - this.#startedAt;
    this.#startedAt = now;
    this.#requests = 0;
  }

  spend(requests: number): void {
    this.#requests += requests;
  }

  /** Whether so many requests may go to what is not yet due. */
  maySpare(requests: number): boolean {
    return this.#requests + requests <= (this.#budgetPerMinute * spareShare * this.#intervalMs) / minuteMs;
  }
}
