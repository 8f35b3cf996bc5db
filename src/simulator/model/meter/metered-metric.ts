/** Metrics the service bills by, under the names that they have in consumption_history/v2. */
export const meteredMetrics = [
  'compute_unit_seconds',
  'root_branch_bytes_month',
  'child_branch_bytes_month',
  'instant_restore_bytes_month',
  'snapshot_storage_bytes_month',
  'public_network_transfer_bytes',
  'private_network_transfer_bytes',
  'extra_branches_month',
] as const;

export type MeteredMetric = (typeof meteredMetrics)[number];

/** Columns metered beside them, under the names that they have in answers. */
export const otherColumns = [
  'active_time_seconds',
  'written_data_bytes',
  /** Bytes stored at the end of the hour. */
  'synthetic_storage_size_bytes',
  'data_storage_bytes_hour',
] as const;

export type Column = MeteredMetric | (typeof otherColumns)[number];

/**
 * `month`: byte-months and branch-months, of the calendar month, and of branches beyond the allowance alone. `hour`:
 * byte-hours and branch-hours, of all child branches, as seen on live services.
 */
export type MeterUnit = 'month' | 'hour';
