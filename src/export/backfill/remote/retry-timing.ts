import { setTimeout as sleepFor } from 'node:timers/promises';
import { minuteMs } from '../../../resources/duration.ts';

/** The clock and the dice of retries. */
export interface RetryTiming {
  /** Epoch milliseconds. */
  readonly now: () => number;
  /** Rejects when the signal aborts. */
  readonly sleep: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Answers in [0, 1). */
  readonly random: () => number;
  /** The longest that one request may take. */
  readonly requestMs: number;
}

/** The longest wait a timer can be set for. */
const longestTimerMs = 2 ** 31 - 1;

export const usualTiming: RetryTiming = {
  // A clock that is set meanwhile ends no patience.
  now: () => performance.timeOrigin + performance.now(),
  sleep: (ms, signal) => sleepFor(Math.min(Math.ceil(ms), longestTimerMs), undefined, { signal }),
  random: Math.random,
  requestMs: minuteMs,
};
