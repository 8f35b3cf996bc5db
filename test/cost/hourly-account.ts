import { hourMs } from '../../src/resources/duration.ts';
import type { HourlyUsage } from '../../src/resources/usage/hourly-usage.ts';

export const dayMs = 24 * hourMs;

/** 00:00 UTC of a Monday. */
export const monday = Date.UTC(2026, 2, 2);

/** An account from that Monday on, of projects that were always there. */
export function accountOf(hourCount: number, usedIn: (hour: number) => number): HourlyUsage {
  return {
    firstHourAt: monday,
    steady: Float64Array.from({ length: hourCount }, (_, hour) => usedIn(hour)),
    young: [],
    gone: [],
  };
}
