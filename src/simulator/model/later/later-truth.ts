import type { SimulatedAccount } from '../account.ts';
import { hourOf, sumOver } from '../meter/hour-series.ts';
import { type Column, meteredMetrics } from '../meter/metered-metric.ts';
import type { SimulatedProject } from '../project.ts';
import { formatSecond } from '../timestamp.ts';
import { type BilledPeriod, listBilledPeriods } from './billed-period.ts';
import { showMetered, tellAtOnce } from './consumption.ts';
import type { Granularity, HourRange } from './granularity.ts';
import { readMeter, requireLater, requireTerms, startOfHour } from './metering.ts';

/** What adds up over hours. */
const summed = [...meteredMetrics, 'active_time_seconds', 'written_data_bytes'] as const;

/** What the truth of an account has besides where a later version is served. */
export function describeLaterAccount(account: SimulatedAccount) {
  if (account.later === undefined) return {};
  const plans = requireTerms(account).plans.map(({ plan, fromHour }) => ({
    plan,
    from: formatSecond(startOfHour(fromHour)),
  }));
  return { plans };
}

/** What the truth of a project has besides where a later version is served: all that is billed up to now. */
export function describeLaterProject(account: SimulatedAccount, project: SimulatedProject) {
  if (account.later === undefined) return {};
  const { orgId, quota, quotaReachedAt, quotasReached } = requireLater(project);
  const { columns } = readMeter(account, project);
  const periods = listBilledPeriods(account, project, allHours(account, project));
  const sumOf = (parts: readonly BilledPeriod[]) =>
    Object.fromEntries(
      summed.map((column: Column) => [
        column,
        parts.reduce((sum, { fromHour, toHour }) => sum + sumOver(columns[column], fromHour, toHour), 0),
      ]),
    );
  return {
    org_id: orgId ?? null,
    quota,
    quota_reached_at: quotaReachedAt === undefined ? null : formatSecond(quotaReachedAt),
    quotas_reached: quotasReached,
    consumption: {
      total: sumOf(periods),
      periods: periods.map(period => ({
        period_plan: period.plan,
        period_start: formatSecond(period.startsAt),
        period_end: period.endedAt === undefined ? null : formatSecond(period.endedAt),
        ...sumOf([period]),
      })),
    },
  };
}

/** All that is billed up to now by timeframe, in the form of the consumption history. */
export function describeConsumption(account: SimulatedAccount, granularity: Granularity) {
  const projects = [...account.projects.values()].map(project =>
    showMetered(account, project, granularity, allHours(account, project), {
      metrics: meteredMetrics,
      told: tellAtOnce(account, project),
    }),
  );
  return { now: formatSecond(account.timeline.now), projects };
}

function allHours({ timeline }: SimulatedAccount, { createdAt }: SimulatedProject): HourRange {
  return { fromHour: hourOf(createdAt), toHour: hourOf(timeline.now) + 1 };
}
