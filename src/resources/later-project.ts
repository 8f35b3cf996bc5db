import type { HasBranches } from './branch.ts';
import {
  type FieldValues,
  later,
  laterAmount,
  laterComputeSize,
  laterInstant,
  laterLimit,
  laterSuspendTimeout,
  laterText,
} from './declared-field.ts';
import { declareFor, projectLabels, seconds } from './family.ts';
import type { HasPeriodUse } from './project-usage.ts';

/** Projects are grouped and matched by these, in SQL. */
const isOwner = { isColumn: true, isShared: true } as const;
/** Another value in each list of a project that is in use: a column is written by itself. */
const isLively = { isColumn: true, moves: 'often' } as const;

/** Fields of a project that later versions of the service send. */
export const laterProjectFields = {
  owner_id: later('owner_id', laterText, isOwner),
  org_id: later('org_id', laterText, isOwner),
  org_name: later('org_name', laterText, isOwner),
  active_time: later('active_time', laterAmount, isLively),
  synthetic_storage_size: later('synthetic_storage_size', laterAmount, isLively),
  branch_logical_size_limit_bytes: later('branch_logical_size_limit_bytes', laterAmount),
  history_retention_seconds: later('history_retention_seconds', laterAmount),
  compute_last_active_at: later('compute_last_active_at', laterInstant, isLively),
  maintenance_starts_at: later('maintenance_starts_at', laterInstant),
  deleted_at: later('deleted_at', laterInstant),
  recoverable_until: later('recoverable_until', laterInstant),
  quota_reset_at: later('quota_reset_at', laterInstant, { moves: 'seldom' }),
  quota_active_time_seconds: later('settings.quota.active_time_seconds', laterLimit),
  quota_compute_time_seconds: later('settings.quota.compute_time_seconds', laterLimit),
  quota_written_data_bytes: later('settings.quota.written_data_bytes', laterLimit),
  quota_data_transfer_bytes: later('settings.quota.data_transfer_bytes', laterLimit),
  quota_logical_size_bytes: later('settings.quota.logical_size_bytes', laterLimit),
  default_autoscaling_limit_min_cu: later(
    'default_endpoint_settings.autoscaling_limit_min_cu',
    laterComputeSize,
  ),
  default_autoscaling_limit_max_cu: later(
    'default_endpoint_settings.autoscaling_limit_max_cu',
    laterComputeSize,
  ),
  default_suspend_timeout_seconds: later(
    'default_endpoint_settings.suspend_timeout_seconds',
    laterSuspendTimeout,
    { remembers: 'changes' },
  ),
};

/** A project, as far as later versions of the service tell more of it; instants in epoch milliseconds. */
interface LaterProject extends FieldValues<typeof laterProjectFields>, HasPeriodUse, HasBranches {
  readonly cpu_used_sec?: number;
}

/** Compute seconds of the present period, by the answer for the project where that is read; a list whose `cpu_used_sec` stays 0 while something was awake says nothing. */
function computeSeconds({ cpu_used_sec, active_time, periodUse }: LaterProject): number | undefined {
  if (periodUse?.compute_time_seconds !== undefined) return periodUse.compute_time_seconds;
  return cpu_used_sec === 0 && active_time !== 0 ? undefined : cpu_used_sec;
}

const { gauge, gaugeBy } = declareFor<LaterProject>()(projectLabels);
const isOptional = { isOptional: true } as const;
/** Left out of compact pages too. */
const isDetail = { isOptional: true, whenCompact: 'omit' } as const;

export const laterProjectFamilies = {
  owner: gaugeBy(
    'dbpm_project_owner_info',
    'Whose the project is: an organisation or a person, where the service says so.',
    ['owner_id', 'org_id', 'org_name'],
    ({ owner_id, org_id, org_name }, emit) => {
      if (owner_id !== undefined || org_id !== undefined)
        emit(1, owner_id ?? '', org_id ?? '', org_name ?? '');
    },
    isOptional,
  ),
  storage: gauge(
    'dbpm_project_storage_bytes',
    'Bytes the project stores now, its history included (polled).',
    project => project.synthetic_storage_size,
    isOptional,
  ),
  activeTimeReported: gauge(
    'dbpm_project_active_time_reported_seconds',
    'Time in the present period of the service in which any endpoint of the project was awake, as last reported (polled).',
    project => project.active_time,
    isDetail,
  ),
  quotaSeconds: gaugeBy(
    'dbpm_project_quota_seconds',
    'Limit of the project on time in a period, at which the service suspends it (polled).',
    ['quota'],
    (project, emit) => {
      emit(project.quota_active_time_seconds, 'active_time');
      emit(project.quota_compute_time_seconds, 'compute_time');
    },
    isOptional,
  ),
  quotaBytes: gaugeBy(
    'dbpm_project_quota_bytes',
    'Limit of the project on bytes written, sent or stored, at which the service suspends it (polled).',
    ['quota'],
    (project, emit) => {
      emit(project.quota_written_data_bytes, 'written_data');
      emit(project.quota_data_transfer_bytes, 'data_transfer');
      emit(project.quota_logical_size_bytes, 'logical_size');
    },
    isOptional,
  ),
  quotaUsedRatio: gaugeBy(
    'dbpm_project_quota_used_ratio',
    'Part of a limit of the project that is used; at 1 the service suspends the project (polled).',
    ['quota'],
    (project, emit) => {
      const { periodUse, branches } = project;
      const activeSeconds = project.active_time ?? periodUse?.active_time_seconds;
      emit(ratio(activeSeconds, project.quota_active_time_seconds), 'active_time');
      emit(ratio(computeSeconds(project), project.quota_compute_time_seconds), 'compute_time');
      emit(ratio(periodUse?.written_data_bytes, project.quota_written_data_bytes), 'written_data');
      emit(ratio(periodUse?.data_transfer_bytes, project.quota_data_transfer_bytes), 'data_transfer');
      emit(ratio(branches?.largestLogicalBytes, project.quota_logical_size_bytes), 'logical_size');
    },
    isOptional,
  ),
  quotaResetTimestamp: gauge(
    'dbpm_project_quota_reset_timestamp_seconds',
    'When the limits of the project begin anew (polled).',
    project => seconds(project.quota_reset_at),
    isDetail,
  ),
  maintenanceStartTimestamp: gauge(
    'dbpm_project_maintenance_start_timestamp_seconds',
    'When the service begins its next maintenance of the project; absent where none is planned (polled).',
    project => seconds(project.maintenance_starts_at),
    isOptional,
  ),
  deletedTimestamp: gauge(
    'dbpm_project_deleted_timestamp_seconds',
    'When the project was deleted that is still listed (polled).',
    project => seconds(project.deleted_at),
    isOptional,
  ),
  recoverableUntilTimestamp: gauge(
    'dbpm_project_recoverable_until_timestamp_seconds',
    'Until when the service can bring a deleted project back (polled).',
    project => seconds(project.recoverable_until),
    isOptional,
  ),
  historyRetention: gauge(
    'dbpm_project_history_retention_seconds',
    'How far back the data of the project can be restored (polled).',
    project => project.history_retention_seconds,
    isDetail,
  ),
  branchLogicalSizeLimit: gauge(
    'dbpm_project_branch_logical_size_limit_bytes',
    'Size limit per branch in bytes, where the service reports it so (polled).',
    project => project.branch_logical_size_limit_bytes,
    isDetail,
  ),
  defaultAutoscalingLimitMin: gauge(
    'dbpm_project_default_autoscaling_limit_min_cu',
    'Smallest compute size of endpoints of the project by default, in compute units (polled).',
    project => project.default_autoscaling_limit_min_cu,
    isDetail,
  ),
  defaultAutoscalingLimitMax: gauge(
    'dbpm_project_default_autoscaling_limit_max_cu',
    'Largest compute size of endpoints of the project by default, in compute units (polled).',
    project => project.default_autoscaling_limit_max_cu,
    isDetail,
  ),
  defaultSuspendTimeout: gauge(
    'dbpm_project_default_suspend_timeout_seconds',
    'Auto-suspend delay of endpoints of the project that report 0: 0 is the default of the plan, -1 never (polled).',
    project => project.default_suspend_timeout_seconds,
    isOptional,
  ),
  computeLastActiveTimestamp: gauge(
    'dbpm_project_compute_last_active_timestamp_seconds',
    'When an endpoint of the project was last active (polled).',
    project => seconds(project.compute_last_active_at),
    isDetail,
  ),
};

function ratio(used: number | undefined, limit: number | undefined): number | undefined {
  return used === undefined || limit === undefined ? undefined : used / limit;
}
