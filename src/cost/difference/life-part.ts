import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { Period } from '../calendar/calendar.ts';
import { type ComparedPeriods, sharedMs } from './compared-past.ts';

/** What existed for a smaller part of a period than this is new, or gone, in it. */
export const leastLife = 0.5;

/** The part of a period that something existed for, 0 to 1. */
export function lifeIn(life: Period, period: Period): number {
  return sharedMs(life, period) / (period.untilAt - period.fromAt);
}

/** The length of the second period over that of the first. */
export function ratioOf({ before, after }: ComparedPeriods): number {
  return (after.untilAt - after.fromAt) / (before.untilAt - before.fromAt);
}

/** Whether it is known how long a project was there: of one that only the meter tells of, it is not. */
export function isLifeKnown({ created_at, gone_at }: UsageProject): boolean {
  return created_at === undefined || created_at !== gone_at;
}
