import { minuteMs } from '../resources/duration.ts';
import { Refusal } from './model/refusal.ts';

/**
 * Allows as many calls at once as there are in a minute, and one more each time its share of the minute has passed. The
 * function it returns throws a 429 `Refusal` with `Retry-After` for any other.
 */
export function createTokenBucket(callsPerMinute: number, wallClock: () => number): () => void {
  const refillMs = minuteMs / callsPerMinute;
  let tokens = callsPerMinute;
  let countedAt = wallClock();
  return () => {
    const now = wallClock();
    tokens = Math.min(callsPerMinute, tokens + Math.max(0, now - countedAt) / refillMs);
    countedAt = now;
    if (tokens >= 1) {
      tokens -= 1;
      return;
    }
    const seconds = Math.ceil(((1 - tokens) * refillMs) / 1000);
    throw new Refusal(
      429,
      `more than ${callsPerMinute} consumption requests a minute: wait before retrying`,
      {
        'retry-after': String(seconds),
      },
    );
  };
}
