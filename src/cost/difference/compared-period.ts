import type { Period } from '../calendar/calendar.ts';

/** Two periods whose bills are compared; the second may be the earlier one. */
export interface ComparedPeriods {
  readonly before: Period;
  readonly after: Period;
}

/** A project or endpoint that existed for a smaller part of a period is new, or gone, in it. */
const leastLife = 0.5;

/** The length of the second period over that of the first. */
export function ratioOf({ before, after }: ComparedPeriods): number {
  return (after.untilAt - after.fromAt) / (before.untilAt - before.fromAt);
}

/** Milliseconds that a stretch of time has in a period. */
export function sharedMs(span: Period, period: Period): number {
  return Math.max(0, Math.min(span.untilAt, period.untilAt) - Math.max(span.fromAt, period.fromAt));
}

/** The part of a period that something existed for, 0 to 1. */
export function lifeIn(life: Period, period: Period): number {
  return sharedMs(life, period) / (period.untilAt - period.fromAt);
}

/** When something began that is new in one of two periods, or ended that is gone from it; undefined of what stayed. */
export function dateArrival(
  life: Period,
  { before, after }: ComparedPeriods,
): { readonly sinceAt: number } | { readonly endedAt: number } | undefined {
  const missed = [before, after].find(period => lifeIn(life, period) < leastLife);
  if (missed === undefined) return undefined;
  return life.fromAt > missed.fromAt ? { sinceAt: life.fromAt } : { endedAt: life.untilAt };
}
