import Database from 'better-sqlite3';

/** A counter of a history: what it is of, as a salvage names it, and the labels it has besides. */
export interface StoredCounter {
  readonly metric: string;
  readonly of: string;
  readonly labels: string;
  readonly value: number;
}

const ofProject = "account || '/' || project_id";
const queries: readonly string[] = [
  `SELECT 'dbpm_project_cpu_used_seconds_total' , ${ofProject}, '', project.cpu_used_total_sec
   FROM project JOIN account USING (account_ref) WHERE project.cpu_used_total_sec IS NOT NULL`,
  `SELECT 'dbpm_project_cpu_used_resets_total', ${ofProject}, '', cpu_used_resets
   FROM project JOIN account USING (account_ref)`,
  `SELECT 'dbpm_account_cpu_used_seconds_total', account, '', cpu_used_total_sec FROM account
   WHERE cpu_used_total_sec IS NOT NULL`,
  `SELECT 'dbpm_operations_total', ${ofProject}, action || ' ' || status, count
   FROM operation_count JOIN project USING (project_ref) JOIN account USING (account_ref)`,
  `SELECT 'dbpm_operation_attempt_failures_total', ${ofProject}, action, count
   FROM attempt_failure_count JOIN project USING (project_ref) JOIN account USING (account_ref)`,
  `SELECT 'dbpm_endpoint_starts_total', ${ofProject}, endpoint_id, starts
   FROM endpoint JOIN project USING (project_ref) JOIN account USING (account_ref)`,
  `SELECT 'dbpm_endpoint_suspends_total', ${ofProject}, endpoint_id, suspends
   FROM endpoint JOIN project USING (project_ref) JOIN account USING (account_ref)`,
  `SELECT 'dbpm_endpoint_state_seconds_total', ${ofProject}, endpoint_id || ' ' || state, duration_ms / 1000.0
   FROM state_duration JOIN endpoint USING (endpoint_ref) JOIN project USING (project_ref) JOIN account USING (account_ref)`,
  `SELECT 'dbpm_operation_duration_seconds', account, action, sum(count)
   FROM operation_duration JOIN account USING (account_ref) GROUP BY account, action`,
  `SELECT 'dbpm_collector_errors_total', account, collector || ' ' || reason, count
   FROM collector_error JOIN account USING (account_ref)`,
  `SELECT 'dbpm_account_implausible_values_total', account, field, count
   FROM implausible_value JOIN account USING (account_ref)`,
  `SELECT 'dbpm_account_lost_fields_total', account, field, count
   FROM lost_field JOIN account USING (account_ref)`,
  `SELECT 'dbpm_account_cost_total', account, currency, CAST(total AS REAL)
   FROM cost_accrual JOIN account USING (account_ref)`,
  `SELECT 'dbpm_account_unpriced_compute_seconds_total', account, currency, unpriced_total
   FROM cost_accrual JOIN account USING (account_ref)`,
  `SELECT 'dbpm_project_metered_compute_unit_seconds_total', ${ofProject}, '', compute_unit_seconds
   FROM metered_project JOIN account USING (account_ref) WHERE compute_unit_seconds IS NOT NULL`,
  `SELECT 'dbpm_account_metered_compute_unit_seconds_total', account, '', compute_unit_seconds
   FROM metered_account JOIN account USING (account_ref) WHERE compute_unit_seconds IS NOT NULL`,
  `SELECT 'dbpm_api_key_source_address_changes_total', account, key_id, source_address_changes
   FROM api_key JOIN account USING (account_ref)`,
];

/** Every counter that goes on over a restart, as the history at a path has it, by its name and labels. */
export function readCounters(file: string): ReadonlyMap<string, StoredCounter> {
  const database = new Database(file, { readonly: true });
  try {
    const rows = queries.flatMap(query =>
      database.prepare<[], [string, string, string, number]>(query).raw().all(),
    );
    return new Map(
      rows.map(([metric, of, labels, value]) => [`${metric} ${of} ${labels}`, { metric, of, labels, value }]),
    );
  } finally {
    database.close();
  }
}
