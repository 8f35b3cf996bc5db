import { parseHttpDate } from './http-date.ts';

/** A wait longer than a day is taken for a mistake of the service: a typing error must not silence it for good. */
const longestRetryAfterMs = 24 * 60 * 60 * 1000;

/**
 * Milliseconds to wait from `now`, read from a `Retry-After` header in either form, between 0 and one day.
 * `now` is epoch milliseconds by the clock of the host that wrote the header. Undefined when there is nothing usable.
 */
export function parseRetryAfter(header: string | undefined, now: number): number | undefined {
  const text = header?.trim() ?? '';
  const waitMs = /^\d+$/.test(text) ? Number(text) * 1000 : (parseHttpDate(text) ?? Number.NaN) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), longestRetryAfterMs);
}

export interface Backoff {
  readonly baseMs: number;
  readonly capMs: number;
}

export const defaultBackoff: Backoff = { baseMs: 500, capMs: 20_000 };

/** Milliseconds to wait after failed attempt 1, 2, …: exponential with full jitter. `random` answers in [0, 1). */
export function retryDelayMs(attempt: number, random: () => number, backoff = defaultBackoff): number {
  return random() * Math.min(backoff.capMs, backoff.baseMs * 2 ** (attempt - 1));
}
