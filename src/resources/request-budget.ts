import { minuteMs, secondMs } from './duration.ts';

/** How fast an account may be asked; instants in epoch milliseconds by this host's clock. */
export interface RequestBudgetState {
  readonly perMinute: number;
  /** From when on requests are earned at that rate: none are left over from before. */
  readonly settledAt: number;
  /** Nothing is asked before. */
  readonly pausedUntil: number;
  /** Tells the key that was asked to wait from another one; absent where that is not known. */
  readonly pausedKey?: string;
}

/** How a ceiling of requests in any minute is kept: some at once, then evenly. */
interface RequestPace {
  readonly burst: number;
  /** Requests a minute for as long as one likes. */
  readonly perMinute: number;
}

/** Services of this kind allow bursts of 40 a second per route; half of that leaves room for other clients of the account. */
export const largestBurst = 20;
/** The service counts requests when they arrive: one may be under way for so much longer than another. */
const longestDelayMs = secondMs;

/** The pace at which a full burst and all that follows in a minute, and in the delay, is no more than the ceiling. */
export function paceWithin(ceilingPerMinute: number): RequestPace {
  const burst = Math.min(Math.max(Math.floor(ceilingPerMinute / 20), 1), largestBurst);
  return { burst, perMinute: ((ceilingPerMinute - burst + 1) * minuteMs) / (minuteMs + longestDelayMs) };
}

/**
 * How hard the request budget of an account is pressed; instants and durations in milliseconds by this host's clock.
 */
export interface RequestPressure {
  /** Requests a minute that everything due at its own pace would take. */
  readonly demandPerMinute: number;
  /** When what waits longest became due; absent when nothing waits. */
  readonly oldestDueAt?: number;
  /** List polls that were left out since the start. */
  readonly skippedListPolls: number;
  /** Projects at rest that were polled later than they should have been, since the start. */
  readonly lateIdle: number;
  readonly listPollIntervalMs: number;
  /** How far the list of projects was found to be behind. */
  readonly listLagMs: number;
  /** Whether most polls of projects at rest are partial. */
  readonly partialPolls: boolean;
}
