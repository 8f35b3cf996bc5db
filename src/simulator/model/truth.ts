import type { SimulatedAccount } from './account.ts';
import { countUsage, cpuUsedSeconds, cpuUsedSecondsEver, stateSecondsOf } from './endpoint.ts';
import {
  type BilledPeriod,
  type Granularity,
  type HourRange,
  listBilledPeriods,
} from './later/billed-period.ts';
import { showMetered, tellAtOnce } from './later/consumption.ts';
import { readMeter, requireLater, requireTerms, startOfHour } from './later/metering.ts';
import { hourOf, sumOver } from './meter/hour-series.ts';
import { type Column, meteredMetrics } from './meter/metered-metric.ts';
import { progressAt } from './operation.ts';
import type { SimulatedEndpoint, SimulatedProject } from './project.ts';
import { formatSecond } from './timestamp.ts';

/** The counts of a client that missed nothing since the history began; deleted objects are kept. */
export function describeTruth(account: SimulatedAccount) {
  return {
    now: formatSecond(account.timeline.now),
    ...describeLaterAccount(account),
    projects: [...account.projects.values()].map(project => ({
      ...backfillProject(project),
      ...describeLaterProject(account, project),
    })),
  };
}

function backfillProject(project: SimulatedProject) {
  return {
    project_id: project.id,
    name: project.name,
    deleted: project.deletedAt !== undefined,
    created_at: formatSecond(project.createdAt),
    cpu_used_sec: cpuUsedSeconds(project),
    cpu_used_sec_ever: cpuUsedSecondsEver(project),
    branches: project.branches.map(({ id, name }) => ({ branch_id: id, name })),
    operations: countOperations(project),
    endpoints: project.endpoints.map(backfillEndpoint),
  };
}

/** How many operations there are of each action and status, and their failures_count added up. */
function countOperations(project: SimulatedProject) {
  const counts = new Map<string, { action: string; status: string; count: number; failures_count: number }>();
  for (const operation of project.operations) {
    const { action, failuresCount } = operation;
    const { status } = progressAt(operation, project.timeline.now);
    const key = JSON.stringify([action, status]);
    const row = counts.get(key) ?? { action, status, count: 0, failures_count: 0 };
    row.count += 1;
    row.failures_count += failuresCount;
    counts.set(key, row);
  }
  return [...counts.values()];
}

function backfillEndpoint(endpoint: SimulatedEndpoint) {
  countUsage(endpoint);
  return {
    endpoint_id: endpoint.id,
    branch_id: endpoint.branch.id,
    deleted: endpoint.deletedAt !== undefined,
    created_at: formatSecond(endpoint.createdAt),
    current_state: endpoint.state,
    pending_state: endpoint.pendingState ?? null,
    starts: endpoint.starts,
    suspends: endpoint.suspends,
    cu_seconds: endpoint.quarterCuSeconds / 4,
    state_seconds: stateSecondsOf(endpoint),
    suspend_timeout_seconds: endpoint.settings.suspendTimeoutSeconds,
  };
}

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
function describeLaterProject(account: SimulatedAccount, project: SimulatedProject) {
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
