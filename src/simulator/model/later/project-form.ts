import type { SimulatedAccount } from '../account.ts';
import { defaultSettings, lastActiveAt } from '../endpoint.ts';
import type { SimulatedProject } from '../project.ts';
import { hash } from '../random.ts';
import { formatSecond } from '../timestamp.ts';
import { showProject } from '../wire-form.ts';
import { nameOfOrg } from './later-account.ts';
import { personOf } from './later-form.ts';
import { periodOf, requireLater, requireTerms, startOfHour, storedBytes, usedInPeriod } from './metering.ts';
import { usedOf } from './quota.ts';

const mebibyte = 2 ** 20;
const week = 7 * 86_400;
/** The first Sunday of the epoch, at three in the morning. */
const firstMaintenance = 3 * 86_400 + 3 * 3600;

/** A project as an item of the list of projects. */
export function showListedProject(account: SimulatedAccount, project: SimulatedProject) {
  const { cpu_used_sec, ...known } = showProject(project);
  const { listCpu } = requireTerms(account);
  const { root, child, restore } = storedBytes(account, project);
  const { quota, meter } = requireLater(project);
  return {
    ...known,
    ...(listCpu !== 'absent' && { cpu_used_sec: listCpu === 'zero' ? 0 : cpu_used_sec }),
    active_time: usedInPeriod(account, project, 'active_time_seconds'),
    synthetic_storage_size: root + child + restore,
    branch_logical_size_limit_bytes: known.branch_logical_size_limit * mebibyte,
    history_retention_seconds: startOfHour(meter.retentionHours),
    ...showLastActive(project),
    quota_reset_at: formatSecond(startOfHour(periodOf(account.timeline.now).endHour)),
    ...showOwner(account, project),
    settings: Object.keys(quota).length > 0 ? { quota } : {},
    default_endpoint_settings: {
      autoscaling_limit_min_cu: defaultSettings.minCu,
      autoscaling_limit_max_cu: defaultSettings.maxCu,
      suspend_timeout_seconds: defaultSettings.suspendTimeoutSeconds,
    },
    creation_source: 'console',
    ...showMaintenance(account, project),
    ...showDeletion(project),
  };
}

/** A project as the answer about it alone: with what was used in the present period. */
export function showSingleProject(account: SimulatedAccount, project: SimulatedProject) {
  const { firstHour, endHour } = periodOf(account.timeline.now);
  return {
    ...showListedProject(account, project),
    active_time_seconds: usedOf(account, project, 'active_time_seconds'),
    compute_time_seconds: usedOf(account, project, 'compute_time_seconds'),
    written_data_bytes: usedOf(account, project, 'written_data_bytes'),
    data_transfer_bytes: usedOf(account, project, 'data_transfer_bytes'),
    data_storage_bytes_hour: usedInPeriod(account, project, 'data_storage_bytes_hour'),
    consumption_period_start: formatSecond(startOfHour(firstHour)),
    consumption_period_end: formatSecond(startOfHour(endHour)),
  };
}

function showLastActive({ endpoints }: SimulatedProject) {
  const used = endpoints.filter(({ busyUntil }) => busyUntil !== undefined).map(lastActiveAt);
  const last = used.reduce((latest, second) => Math.max(latest, second), 0);
  return used.length === 0 ? {} : { compute_last_active_at: formatSecond(last) };
}

function showOwner({ seed }: SimulatedAccount, project: SimulatedProject) {
  const { orgId } = requireLater(project);
  if (orgId === undefined) return { owner_id: personOf(seed, 'owner').id };
  return { owner_id: orgId, org_id: orgId, org_name: nameOfOrg(orgId) };
}

/** Until when a deleted project can be brought back. */
export function recoverableUntil(deletedAt: number): number {
  return deletedAt + week;
}

function showDeletion({ deletedAt }: SimulatedProject) {
  if (deletedAt === undefined) return {};
  return {
    deleted_at: formatSecond(deletedAt),
    recoverable_until: formatSecond(recoverableUntil(deletedAt)),
  };
}

/** One project in ten is told when it will be maintained: the next Sunday night. */
function showMaintenance({ timeline }: SimulatedAccount, { id }: SimulatedProject) {
  if (hash(id, 'maintenance') % 10 !== 0) return {};
  const weeks = Math.floor((timeline.now - firstMaintenance) / week) + 1;
  return { maintenance_starts_at: formatSecond(firstMaintenance + weeks * week) };
}
