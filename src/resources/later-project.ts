import type { HasBranches } from './branch.ts';
import { declareFor, seconds } from './family.ts';
import {
  type OptionalReader,
  type OptionalValues,
  optional,
  optionalAmount,
  optionalComputeSize,
  optionalInstant,
  optionalSuspendTimeout,
  optionalText,
} from './optional-field.ts';
import type { HasPeriodUse } from './project-usage.ts';
import { projectLabels } from './scope-label.ts';

/** A limit; services write 0 for none. */
const optionalLimit: OptionalReader<number> = value =>
  optionalAmount(value) || (value === 0 ? null : undefined);

/** Fields of a project that later versions of the service send. */
export const laterProjectFields = {
  owner_id: optional('owner_id', optionalText),
  org_id: optional('org_id', optionalText),
  org_name: optional('org_name', optionalText),
  active_time: optional('active_time', optionalAmount),
  synthetic_storage_size: optional('synthetic_storage_size', optionalAmount),
  branch_logical_size_limit_bytes: optional('branch_logical_size_limit_bytes', optionalAmount),
  history_retention_seconds: optional('history_retention_seconds', optionalAmount),
  compute_last_active_at: optional('compute_last_active_at', optionalInstant),
  maintenance_starts_at: optional('maintenance_starts_at', optionalInstant),
  deleted_at: optional('deleted_at', optionalInstant),
  recoverable_until: optional('recoverable_until', optionalInstant),
  quota_reset_at: optional('quota_reset_at', optionalInstant),
  quota_active_time_seconds: optional('settings.quota.active_time_seconds', optionalLimit),
  quota_compute_time_seconds: optional('settings.quota.compute_time_seconds', optionalLimit),
  quota_written_data_bytes: optional('settings.quota.written_data_bytes', optionalLimit),
  quota_data_transfer_bytes: optional('settings.quota.data_transfer_bytes', optionalLimit),
  quota_logical_size_bytes: optional('settings.quota.logical_size_bytes', optionalLimit),
  default_autoscaling_limit_min_cu: optional(
    'default_endpoint_settings.autoscaling_limit_min_cu',
    optionalComputeSize,
  ),
  default_autoscaling_limit_max_cu: optional(
    'default_endpoint_settings.autoscaling_limit_max_cu',
    optionalComputeSize,
  ),
  default_suspend_timeout_seconds: optional(
    'default_endpoint_settings.suspend_timeout_seconds',
    optionalSuspendTimeout,
  ),
};

/** A project, as far as later versions of the service tell more of it; instants in epoch milliseconds. */
export interface LaterProject extends OptionalValues<typeof laterProjectFields>, HasPeriodUse, HasBranches {
  readonly cpu_used_sec?: number;
}

/** Compute seconds of the present period, by the answer for the project where that is read; a list whose `cpu_used_sec` stays 0 while something was awake says nothing. */
function computeSeconds({ cpu_used_sec, active_time, periodUse }: LaterProject): number | undefined {
  if (periodUse?.compute_time_seconds !== undefined) return periodUse.compute_time_seconds;
  return cpu_used_sec === 0 && active_time !== 0 ? undefined : cpu_used_sec;
}

const { gauge } = declareFor<LaterProject>()(projectLabels);
const isOptional = { isOptional: true } as const;
/** Left out of compact pages too. */
const isDetail = { isOptional: true, whenCompact: 'omit' } as const;

export const laterProjectFamilies = {
  owner: gauge(
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
    [],
    (project, emit) => emit(project.synthetic_storage_size),
    isOptional,
  ),
  activeTimeReported: gauge(
    'dbpm_project_active_time_reported_seconds',
    'Time within the present period of the service in which any endpoint of the project was awake, exactly as last reported (polled).',
    [],
    (project, emit) => emit(project.active_time),
    isDetail,
  ),
  quotaSeconds: gauge(
    'dbpm_project_quota_seconds',
    'Limit of the project on time in a period at which the service suspends it; absent where there is none (polled).',
    ['quota'],
    (project, emit) => {
      emit(project.quota_active_time_seconds, 'active_time');
      emit(project.quota_compute_time_seconds, 'compute_time');
    },
    isOptional,
  ),
  quotaBytes: gauge(
    'dbpm_project_quota_bytes',
    'Limit of the project on bytes, written or sent in a period or stored in a branch, at which the service suspends it; absent where there is none (polled).',
    ['quota'],
    (project, emit) => {
      emit(project.quota_written_data_bytes, 'written_data');
      emit(project.quota_data_transfer_bytes, 'data_transfer');
      emit(project.quota_logical_size_bytes, 'logical_size');
    },
    isOptional,
  ),
  quotaUsedRatio: gauge(
    'dbpm_project_quota_used_ratio',
    'Part of a limit of the project that is used, in the present period, or of the logical size by the largest branch; at 1 the service suspends the project (polled).',
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
    [],
    (project, emit) => emit(seconds(project.quota_reset_at)),
    isDetail,
  ),
  maintenanceStartTimestamp: gauge(
    'dbpm_project_maintenance_start_timestamp_seconds',
    'When the service begins its next maintenance of the project; absent where none is planned (polled).',
    [],
    (project, emit) => emit(seconds(project.maintenance_starts_at)),
    isOptional,
  ),
  deletedTimestamp: gauge(
    'dbpm_project_deleted_timestamp_seconds',
    'When the project was deleted that is still listed (polled).',
    [],
    (project, emit) => emit(seconds(project.deleted_at)),
    isOptional,
  ),
  recoverableUntilTimestamp: gauge(
    'dbpm_project_recoverable_until_timestamp_seconds',
    'Until when the service can bring a deleted project back (polled).',
    [],
    (project, emit) => emit(seconds(project.recoverable_until)),
    isOptional,
  ),
  historyRetention: gauge(
    'dbpm_project_history_retention_seconds',
    'How far back the data of the project can be restored (polled).',
    [],
    (project, emit) => emit(project.history_retention_seconds),
    isDetail,
  ),
  branchLogicalSizeLimit: gauge(
    'dbpm_project_branch_logical_size_limit_bytes',
    'Size limit per branch in bytes, where the service reports it so (polled).',
    [],
    (project, emit) => emit(project.branch_logical_size_limit_bytes),
    isDetail,
  ),
  defaultAutoscalingLimitMin: gauge(
    'dbpm_project_default_autoscaling_limit_min_cu',
    'Smallest compute size of endpoints of the project by default, in compute units (polled).',
    [],
    (project, emit) => emit(project.default_autoscaling_limit_min_cu),
    isDetail,
  ),
  defaultAutoscalingLimitMax: gauge(
    'dbpm_project_default_autoscaling_limit_max_cu',
    'Largest compute size of endpoints of the project by default, in compute units (polled).',
    [],
    (project, emit) => emit(project.default_autoscaling_limit_max_cu),
    isDetail,
  ),
  defaultSuspendTimeout: gauge(
    'dbpm_project_default_suspend_timeout_seconds',
    'Auto-suspend delay of endpoints of the project by default, which those have that report 0: 0 is that of the plan, -1 is never (polled).',
    [],
    (project, emit) => emit(project.default_suspend_timeout_seconds),
    isOptional,
  ),
  computeLastActiveTimestamp: gauge(
    'dbpm_project_compute_last_active_timestamp_seconds',
    'When an endpoint of the project was last active (polled).',
    [],
    (project, emit) => emit(seconds(project.compute_last_active_at)),
    isDetail,
  ),
};

function ratio(used: number | undefined, limit: number | undefined): number | undefined {
  return used === undefined || limit === undefined ? undefined : used / limit;
}
