import { hourMs } from '../../src/resources/duration.ts';
import type { HourlyUse } from '../../src/resources/hourly-use.ts';

export const dayMs = 24 * hourMs;

/** 00:00 UTC of a Monday. */
export const monday = Date.UTC(2026, 2, 2);

/** An account from that Monday on, of projects that were always there. */
export function accountOf(hourCount: number, usedIn: (hour: number) => number): HourlyUse {
  return {
    firstHourAt: monday,
    settled: Float64Array.from({ length: hourCount }, (_, hour) => usedIn(hour)),
    young: [],
    gone: [],
  };
}
