import { minuteMs, secondMs } from './duration.ts';

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
