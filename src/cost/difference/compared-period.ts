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

/** How much of something was used in two compared periods, in any unit. */
export interface ComparedUse {
  readonly before: number;
  readonly after: number;
}

/**
 * What became of something that existed for little of one of two periods, with when it began or ended; undefined of what
 * stayed. It is new, or gone, where nothing of it was used in that period; otherwise it existed for longer, or less time. Where
 * it used no more for that, its life is no cause.
 */
export function findArrival(life: Period, periods: ComparedPeriods, used: ComparedUse) {
  const { before, after } = periods;
  const missed = lifeIn(life, before) <= lifeIn(life, after) ? 'before' : 'after';
  const { fromAt } = periods[missed];
  if (lifeIn(life, periods[missed]) >= leastLife) return undefined;
  const dated = life.fromAt > fromAt ? { sinceAt: life.fromAt } : { endedAt: life.untilAt };
  if (used[missed] === 0) return { kind: 'sinceAt' in dated ? 'new' : 'gone', ...dated } as const;
  const isMore = missed === 'before' ? used.after >= used.before : used.before >= used.after;
  return isMore ? ({ kind: 'lifetime', ...dated } as const) : ({ kind: 'use' } as const);
}
