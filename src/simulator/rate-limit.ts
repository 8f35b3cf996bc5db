import { minuteMs } from '../resources/duration.ts';
import { Refusal } from './model/refusal.ts';

/**
 * Counts the calls of the account in minutes that begin with the first call after the last minute.
 * The function it returns throws a 429 `Refusal` with `Retry-After` once a minute has had its share.
 */
export function createRateLimit(callsPerMinute: number | undefined, wallClock: () => number): () => void {
  const windowMs = minuteMs;
  let windowEndsAt = Number.NEGATIVE_INFINITY;
  let calls = 0;
  return () => {
    if (callsPerMinute === undefined) return;
    const now = wallClock();
    if (now >= windowEndsAt) {
      windowEndsAt = now + windowMs;
      calls = 0;
    }
    calls += 1;
    if (calls <= callsPerMinute) return;
    const seconds = Math.ceil((windowEndsAt - now) / 1000);
    throw new Refusal(429, `more than ${callsPerMinute} requests a minute: try again in ${seconds} seconds`, {
      'retry-after': String(seconds),
    });
  };
}

/**
 * Allows the calls of a minute at once, and one more each time its share of the minute has passed. The
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
