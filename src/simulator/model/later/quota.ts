import type { SimulatedAccount } from '../account.ts';
import { setCpuUsed } from '../endpoint.ts';
import { suspend } from '../endpoint-life.ts';
import { hourOf, hourSeconds } from '../meter/hour-series.ts';
import { liveEndpoints, type SimulatedProject } from '../project.ts';
import { type QuotaLimit, quotaLimits } from './later-project.ts';
import { periodOf, requireLater, storedBytes, usedInPeriod } from './metering.ts';

/** Looks at all quotas on every full hour, and begins the new period on the first of a month. */
export function watchPeriods(account: SimulatedAccount): void {
  const { timeline } = account;
  timeline.schedule((hourOf(timeline.now) + 1) * hourSeconds, () => {
    const isFirst = periodOf(timeline.now).firstHour === hourOf(timeline.now);
    for (const project of account.projects.values()) {
      if (project.deletedAt !== undefined) continue;
      if (isFirst) beginPeriod(project);
      enforceQuota(account, project);
    }
    watchPeriods(account);
  });
}

/** Suspends the endpoints of a project that has reached a limit; clients cannot wake them until the period ends. */
export function enforceQuota(account: SimulatedAccount, project: SimulatedProject): void {
  const later = requireLater(project);
  if (later.quotaReachedAt !== undefined || !isQuotaReached(account, project)) return;
  later.quotaReachedAt = account.timeline.now;
  later.quotasReached += 1;
  for (const endpoint of liveEndpoints(project)) suspend(endpoint);
}

function beginPeriod(project: SimulatedProject): void {
  setCpuUsed(project, 0);
  requireLater(project).quotaReachedAt = undefined;
}

function isQuotaReached(account: SimulatedAccount, project: SimulatedProject): boolean {
  const { quota } = requireLater(project);
  return quotaLimits.some(limit => {
    const most = quota[limit];
    return most !== undefined && usedOf(account, project, limit) >= most;
  });
}

/** How much of what a limit is on was used in the present period, or is stored now. */
export function usedOf(account: SimulatedAccount, project: SimulatedProject, limit: QuotaLimit): number {
  switch (limit) {
    case 'active_time_seconds':
    case 'written_data_bytes':
      return usedInPeriod(account, project, limit);
    case 'compute_time_seconds':
      return usedInPeriod(account, project, 'compute_unit_seconds');
    case 'data_transfer_bytes':
      return (
        usedInPeriod(account, project, 'public_network_transfer_bytes') +
        usedInPeriod(account, project, 'private_network_transfer_bytes')
      );
    case 'logical_size_bytes':
      return storedBytes(account, project).root;
  }
}
