import type { SimulatedAccount } from '../account.ts';
import { hourOf } from '../meter/hour-series.ts';
import { monthOf } from '../meter/month.ts';
import type { SimulatedProject } from '../project.ts';
import type { HourRange } from './granularity.ts';
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
