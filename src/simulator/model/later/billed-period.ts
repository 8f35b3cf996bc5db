import type { SimulatedAccount } from '../account.ts';
import { hourOf, monthOf } from '../meter/hour-series.ts';
import type { SimulatedProject } from '../project.ts';
import type { LaterPlan } from './later-account.ts';
import { requireTerms, startOfHour } from './metering.ts';

/** A part of a calendar month in which a project was on one plan. Instants are epoch seconds. */
export interface BilledPeriod extends HourRange {
  readonly plan: LaterPlan;
  readonly startsAt: number;
  /** Absent while it goes on. */
  readonly endedAt: number | undefined;
}

/** The periods of a project that have hours in the range, oldest first; a plan without a meter has none. */
export function listBilledPeriods(
  account: SimulatedAccount,
  project: SimulatedProject,
  range: HourRange,
): BilledPeriod[] {
  const { plans } = requireTerms(account);
  const { now } = account.timeline;
  const until = project.deletedAt ?? now;
  const firstHour = Math.max(range.fromHour, hourOf(project.createdAt));
  const endHour = Math.min(range.toHour, Math.ceil(until / startOfHour(1)));
  const periods: BilledPeriod[] = [];
  for (const [index, { plan, fromHour }] of plans.entries()) {
    const spanEnd = plans[index + 1]?.fromHour ?? Number.POSITIVE_INFINITY;
    if (plan === 'free') continue;
    for (let hour = Math.max(firstHour, fromHour); hour < Math.min(endHour, spanEnd); ) {
      const month = monthOf(hour);
      const toHour = Math.min(month.endHour, spanEnd);
      const endsAt = Math.min(startOfHour(toHour), project.deletedAt ?? Number.POSITIVE_INFINITY);
      periods.push({
        plan,
        fromHour: Math.max(month.firstHour, fromHour),
        toHour,
        startsAt: Math.max(startOfHour(Math.max(month.firstHour, fromHour)), project.createdAt),
        endedAt: endsAt <= now ? endsAt : undefined,
      });
      hour = toHour;
    }
  }
  return periods;
}

/** How long the timeframes of a consumption history are. */
export const granularities = ['hourly', 'daily', 'monthly'] as const;

export type Granularity = (typeof granularities)[number];

/** Hours counted from the epoch, the last one left out. */
export interface HourRange {
  readonly fromHour: number;
  readonly toHour: number;
}

/** The timeframe that an hour lies in. */
export function timeframeOf(granularity: Granularity, hour: number): HourRange {
  if (granularity === 'hourly') return { fromHour: hour, toHour: hour + 1 };
  if (granularity === 'monthly') {
    const { firstHour, endHour } = monthOf(hour);
    return { fromHour: firstHour, toHour: endHour };
  }
  const fromHour = Math.floor(hour / 24) * 24;
  return { fromHour, toHour: fromHour + 24 };
}

/** The first hour that is still told at an instant: of 168 hours, 60 days or a year. */
export function oldestHour(granularity: Granularity, now: number): number {
  const { fromHour } = timeframeOf(granularity, hourOf(now));
  if (granularity === 'hourly') return fromHour - 168;
  if (granularity === 'daily') return fromHour - 60 * 24;
  const date = new Date(now * 1000);
  return hourOf(Date.UTC(date.getUTCFullYear() - 1, date.getUTCMonth()) / 1000);
}
