import { hourMs } from '../../src/resources/duration.ts';
import type { HourlyUsage } from '../../src/resources/usage/hourly-usage.ts';
import type { Random } from '../../src/simulator/model/random.ts';

/** What a project really used in each hour from the first of its account's record on, in compute seconds. */
export interface Projects {
  /** Epoch milliseconds. */
  readonly bornAt: number;
  readonly goneAt: number;
  readonly hours: Float64Array;
}

/** All that happened in an account, up to the end of a month of it. */
export interface AccountRecord {
  readonly firstHourAt: number;
  readonly hourCount: number;
  readonly monthDays: number;
  readonly projects: readonly Projects[];
}

/** What was known of an account after a number of hours. */
export function recallUse(record: AccountRecord, hourCount = record.hourCount): HourlyUsage {
  const { firstHourAt } = record;
  const now = firstHourAt + hourCount * hourMs;
  const known = record.projects
    .filter(({ bornAt, goneAt }) => bornAt < now && goneAt > firstHourAt)
    .map(project => ({ ...project, hours: project.hours.subarray(0, hourCount) }));
  const steady = new Float64Array(hourCount);
  for (const { bornAt, goneAt, hours } of known) {
    if (bornAt > firstHourAt || goneAt <= now) continue;
    hours.forEach((used, hour) => {
      steady[hour] = (steady[hour] ?? 0) + used;
    });
  }
  return {
    firstHourAt,
    steady,
    young: known.filter(({ bornAt, goneAt }) => bornAt > firstHourAt && goneAt > now),
    gone: known.filter(({ goneAt }) => goneAt <= now),
  };
}

/** A month of 2026, and how many days before it began the daemon was installed. */
export function drawSpan(random: Random): {
  readonly firstHourAt: number;
  readonly hourCount: number;
  readonly monthDays: number;
} {
  const month = random.integer(0, 11);
  const daysBefore = random.pick([0, 6, 13, 24, 45, 60]);
  const monthDays = new Date(Date.UTC(2026, month + 1, 0)).getUTCDate();
  const hourCount = (daysBefore + monthDays) * 24;
  return { firstHourAt: Date.UTC(2026, month + 1, 1) - hourCount * hourMs, hourCount, monthDays };
}
