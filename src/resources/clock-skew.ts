import type { Moment } from './reading.ts';

/**
 * Clock skew of an account: the instant of the service's clock minus ours, in milliseconds; positive where the service
 * is ahead. The API client follows it and dates every answer by it (a jump counts once a second answer confirms it), so
 * that each reading carries it in its two instants. Code that handles readings takes it from there, also in another
 * thread or over a replayed history, and converts with the functions below: the sign is decided here alone.
 */
export function clockSkewMs({ readAt, servedAt }: Pick<Moment, 'readAt' | 'servedAt'>): number {
  return servedAt - readAt;
}

/** The service's instant at our `at`; epoch milliseconds. */
export function toServiceClock(at: number, skewMs: number): number {
  return at + skewMs;
}

/** Our instant at the service's `at`; epoch milliseconds. */
export function toOwnClock(at: number, skewMs: number): number {
  return at - skewMs;
}

/** How far one clock skew is from another one, in milliseconds. */
export function skewDistanceMs(oneMs: number, otherMs: number): number {
  return Math.abs(oneMs - otherMs);
}
