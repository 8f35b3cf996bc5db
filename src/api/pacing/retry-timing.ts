import { parseHttpDate } from './http-date.ts';

/**
 * Milliseconds to wait from `now`, read from a `Retry-After` header in either form, between 0 and `longestMs`: a typing
 * error of the service must not silence it for a day. Parts of seconds count (live services). `now` is epoch milliseconds by
 * the clock of the host that wrote the header. Undefined when there is nothing usable.
 */
export function parseRetryAfter(
  header: string | undefined,
  now: number,
  longestMs: number,
): number | undefined {
  const text = header?.trim() ?? '';
  const isSeconds = /^\d+(?:\.\d+)?$/.test(text);
  const waitMs = isSeconds ? Math.ceil(Number(text) * 1000) : (parseHttpDate(text) ?? Number.NaN) - now;
  return Number.isNaN(waitMs) ? undefined : Math.min(Math.max(waitMs, 0), longestMs);
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
