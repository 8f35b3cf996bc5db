import { dayMs } from './duration.ts';

/** The beginning of the month of UTC an instant lies in, or of one some months later; in epoch milliseconds. */
export function monthStart(at: number, later = 0): number {
  const date = new Date(at);
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + later);
}

/** The first day of a month of UTC, in days since 1970, and the first of the next one. */
export function daysOfMonth(startAt: number): readonly [first: number, next: number] {
  return [startAt / dayMs, monthStart(startAt, 1) / dayMs];
}
