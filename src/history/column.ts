import type { Endpoint } from '../resources/endpoint.ts';
import type { Compact } from '../resources/field.ts';
import type { Project } from '../resources/project.ts';
import type { PeriodUse } from '../resources/project-usage.ts';

/** Columns of `project` with the fields of the list as the service reported them. */
export const projectColumns = [
  'project_name',
  'platform_id',
  'region_id',
  'provisioner',
  'pg_version',
  'proxy_host',
  'locked',
  'cpu_used_sec',
  'branch_logical_size_limit',
  'created_at',
  'updated_at',
  'owner_id',
  'org_id',
  'org_name',
  'active_time',
  'synthetic_storage_size',
  'branch_logical_size_limit_bytes',
  'history_retention_seconds',
  'compute_last_active_at',
  'maintenance_starts_at',
  'deleted_at',
  'recoverable_until',
  'quota_reset_at',
  'quota_active_time_seconds',
  'quota_compute_time_seconds',
  'quota_written_data_bytes',
  'quota_data_transfer_bytes',
  'quota_logical_size_bytes',
  'default_autoscaling_limit_min_cu',
  'default_autoscaling_limit_max_cu',
  'default_suspend_timeout_seconds',
] as const satisfies readonly (keyof Project)[];

/** Columns of `project` with its use in a period as the answer for it reported it. */
export const periodUseColumns = [
  'compute_time_seconds',
  'active_time_seconds',
  'written_data_bytes',
  'data_transfer_bytes',
  'consumption_period_end',
] as const satisfies readonly (keyof PeriodUse)[];

/** Columns of `endpoint` with the fields of the list as the service reported them, states as the labels they become. */
export const endpointColumns = [
  'branch_id',
  'region_id',
  'type',
  'host',
  'proxy_host',
  'pooler_mode',
  'current_state',
  'pending_state',
  'autoscaling_limit_min_cu',
  'autoscaling_limit_max_cu',
  'disabled',
  'pooler_enabled',
  'passwordless_access',
  'last_active',
  'created_at',
  'updated_at',
  'suspend_timeout_seconds',
  'started_at',
  'suspended_at',
] as const satisfies readonly (keyof Endpoint)[];

/** A decoded value as SQLite takes it. */
export function bindable(value: string | number | boolean | undefined): string | number | null {
  if (typeof value === 'boolean') return Number(value);
  return value ?? null;
}

/** A row as SQLite gives it. */
export type StoredRow = Readonly<Record<string, string | number | null>>;

const flagColumns: ReadonlySet<string> = new Set([
  'locked',
  'disabled',
  'pooler_enabled',
  'passwordless_access',
]);

/** The columns that hold something, as the decoded item they came from: "absent" has one form only. */
export function pickColumns<Item>(row: StoredRow, columns: readonly (keyof Item & string)[]): Compact<Item> {
  const picked: Record<string, unknown> = {};
  for (const column of columns) {
    const value = row[column];
    if (value !== null) picked[column] = flagColumns.has(column) ? value === 1 : value;
  }
  return picked as Compact<Item>;
}

/** The columns that tell which project it is, whose, and when it was there: epoch milliseconds by the service's clock. */
export interface NamedProjectRow {
  readonly account: string;
  readonly project_id: string;
  readonly project_name: string | null;
  readonly region_id: string | null;
  readonly platform_id: string | null;
  readonly owner_id: string | null;
  readonly org_id: string | null;
  readonly org_name: string | null;
  readonly created_at: number | null;
  readonly gone_at: number | null;
}
