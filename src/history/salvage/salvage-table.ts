/** A table of a history, as a salvage goes about it. */
export interface SalvageTable {
  readonly table: string;
  /** The column with the instant, hour or day a row is of, where it has one. */
  readonly period?: { readonly column: string; readonly unitMs: number };
  /** The index by which rows are found that the table itself lost, with values for other columns that they must have. */
  readonly index?: { readonly name: string; readonly columns: string; readonly values: string };
  /** Rows by the time; where time is short, they are left out, as no counter goes on from them. */
  readonly isBulky?: true;
}

const atInstant = (column: string) => ({ column, unitMs: 1 });
const inHours = { column: 'hour', unitMs: 3_600_000 };
const inDays = { column: 'day', unitMs: 86_400_000 };

/**
 * The tables in the order they are salvaged in: rows that others name come first, then what counters go on from. The owner
 * of a file is another one in each.
 */
export const salvageTables: readonly SalvageTable[] = [
  { table: 'shard' },
  {
    table: 'account',
    index: { name: 'sqlite_autoindex_account_1', columns: 'account, account_ref', values: '?, ?' },
  },
  { table: 'collector' },
  { table: 'collector_error' },
  { table: 'word' },
  { table: 'source_salt' },
  {
    table: 'project',
    index: {
      name: 'sqlite_autoindex_project_1',
      columns: 'account_ref, project_id, project_ref, first_seen_at, born_watched',
      values: '?, ?, ?, 0, 0',
    },
  },
  {
    table: 'endpoint',
    index: {
      name: 'sqlite_autoindex_endpoint_1',
      columns: 'project_ref, endpoint_id, endpoint_ref',
      values: '?, ?, ?',
    },
  },
  { table: 'project_absence', period: atInstant('until_at') },
  { table: 'cpu_source_change', period: atInstant('at') },
  { table: 'state_duration' },
  { table: 'operation_count' },
  { table: 'attempt_failure_count' },
  { table: 'operation_duration' },
  { table: 'implausible_value' },
  { table: 'lost_field' },
  {
    table: 'api_key',
    index: {
      name: 'sqlite_autoindex_api_key_1',
      columns: 'account_ref, key_id, key_ref, first_seen_at',
      values: '?, ?, ?, 0',
    },
  },
  { table: 'cost_accrual' },
  { table: 'metered_account' },
  { table: 'meter_pass' },
  {
    table: 'metered_project',
    index: {
      name: 'sqlite_autoindex_metered_project_1',
      columns: 'account_ref, project_id, metered_ref',
      values: '?, ?, ?',
    },
  },
  { table: 'metered_month', period: atInstant('month_start') },
  { table: 'closed_period', period: atInstant('from_at') },
  { table: 'retention' },
  { table: 'confirmed_clock' },
  { table: 'set_aside', period: atInstant('at') },
  { table: 'suspend_timeout', period: atInstant('from_at') },
  { table: 'default_suspend_timeout', period: atInstant('from_at') },
  { table: 'branch' },
  { table: 'active_window' },
  { table: 'metered_day', period: inDays, isBulky: true },
  { table: 'usage_day', period: inDays, isBulky: true },
  { table: 'usage_hour', period: inHours, isBulky: true },
  { table: 'cpu_count_start', period: atInstant('at'), isBulky: true },
  { table: 'cpu_sample', period: atInstant('at'), isBulky: true },
  { table: 'compute_day', period: inDays, isBulky: true },
  { table: 'compute_interval', period: atInstant('from_at'), isBulky: true },
  { table: 'state_interval', period: atInstant('from_at'), isBulky: true },
  { table: 'key_use', period: atInstant('from_at'), isBulky: true },
  { table: 'endpoint_use', period: atInstant('from_at'), isBulky: true },
  { table: 'metered_timeframe', period: atInstant('timeframe_start'), isBulky: true },
  { table: 'operation', period: atInstant('created_at'), isBulky: true },
];
