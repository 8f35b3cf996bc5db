import { expect, test } from 'vitest';
import { catalog } from '../../src/resources/catalog.ts';

const promised = `
dbpm_up gauge account
dbpm_auth_ok gauge account
dbpm_collector_success gauge account collector
dbpm_collector_last_success_timestamp_seconds gauge account collector
dbpm_collector_failing_projects gauge account collector
dbpm_collector_failing_since_timestamp_seconds gauge account collector
dbpm_collector_last_duration_seconds gauge account collector
dbpm_collector_errors_total counter account collector reason
dbpm_account_cpu_used_seconds_total counter account
dbpm_account_last_project_gone_timestamp_seconds gauge account
dbpm_project_info gauge account project_id project_name platform_id region_id provisioner pg_version proxy_host
dbpm_project_cpu_used_seconds_total counter account project_id
dbpm_project_cpu_used_reported_seconds gauge account project_id
dbpm_project_cpu_used_resets_total counter account project_id
dbpm_project_owner_info gauge account project_id owner_id org_id org_name
dbpm_project_storage_bytes gauge account project_id
dbpm_project_active_time_reported_seconds gauge account project_id
dbpm_project_quota_seconds gauge account project_id quota
dbpm_project_quota_bytes gauge account project_id quota
dbpm_project_quota_used_ratio gauge account project_id quota
dbpm_project_quota_reset_timestamp_seconds gauge account project_id
dbpm_project_maintenance_start_timestamp_seconds gauge account project_id
dbpm_project_default_autoscaling_limit_max_cu gauge account project_id
dbpm_project_default_autoscaling_limit_min_cu gauge account project_id
dbpm_project_default_suspend_timeout_seconds gauge account project_id
dbpm_project_deleted_timestamp_seconds gauge account project_id
dbpm_project_recoverable_until_timestamp_seconds gauge account project_id
dbpm_project_history_retention_seconds gauge account project_id
dbpm_project_branch_logical_size_limit_bytes gauge account project_id
dbpm_project_compute_last_active_timestamp_seconds gauge account project_id
dbpm_project_branches gauge account project_id
dbpm_project_oldest_branch_timestamp_seconds gauge account project_id
dbpm_project_never_used_branches gauge account project_id
dbpm_project_expired_branches gauge account project_id
dbpm_project_child_branches_logical_bytes gauge account project_id
dbpm_project_locked gauge account project_id
dbpm_project_branch_logical_size_limit gauge account project_id
dbpm_project_created_timestamp_seconds gauge account project_id
dbpm_project_updated_timestamp_seconds gauge account project_id
dbpm_project_last_refresh_timestamp_seconds gauge account project_id
dbpm_endpoint_info gauge account project_id endpoint_id branch_id region_id type host proxy_host pooler_mode
dbpm_endpoint_state gauge account project_id endpoint_id state
dbpm_endpoint_pending_state gauge account project_id endpoint_id state
dbpm_endpoint_state_seconds_total counter account project_id endpoint_id state
dbpm_endpoint_starts_total counter account project_id endpoint_id
dbpm_endpoint_suspends_total counter account project_id endpoint_id
dbpm_endpoint_disabled gauge account project_id endpoint_id
dbpm_endpoint_pooler_enabled gauge account project_id endpoint_id
dbpm_endpoint_passwordless_access gauge account project_id endpoint_id
dbpm_endpoint_autoscaling_limit_min_cu gauge account project_id endpoint_id
dbpm_endpoint_autoscaling_limit_max_cu gauge account project_id endpoint_id
dbpm_endpoint_suspend_timeout_seconds gauge account project_id endpoint_id
dbpm_endpoint_last_active_timestamp_seconds gauge account project_id endpoint_id
dbpm_endpoint_created_timestamp_seconds gauge account project_id endpoint_id
dbpm_endpoint_updated_timestamp_seconds gauge account project_id endpoint_id
dbpm_operation_next_retry_timestamp_seconds gauge account project_id
dbpm_operations_total counter account project_id action status
dbpm_operation_attempt_failures_total counter account project_id action
dbpm_operations_in_progress gauge account project_id action status
dbpm_operation_oldest_in_progress_timestamp_seconds gauge account project_id
dbpm_operation_last_failure_timestamp_seconds gauge account project_id action
dbpm_operation_duration_seconds histogram account action
dbpm_api_key_info gauge account key_id key_name
dbpm_api_key_created_timestamp_seconds gauge account key_id
dbpm_api_key_last_used_timestamp_seconds gauge account key_id
dbpm_api_key_idle_since_timestamp_seconds gauge account key_id
dbpm_api_key_stale gauge account key_id
dbpm_api_key_source_address_changes_total counter account key_id
dbpm_account_import_projects_left gauge account
dbpm_account_implausible_values_total counter account field
dbpm_account_lost_fields_total counter account field
dbpm_account_projects_unavailable gauge account
dbpm_account_cpu_source_info gauge account source
dbpm_account_cost_total counter account currency
dbpm_account_unpriced_compute_seconds_total counter account
dbpm_account_usage_known_timestamp_seconds gauge account
dbpm_account_period_start_timestamp_seconds gauge account
dbpm_account_period_end_timestamp_seconds gauge account
dbpm_account_period_compute_seconds gauge account
dbpm_account_unplaced_compute_seconds gauge account
dbpm_account_period_cost gauge account currency
dbpm_account_period_unpriced_compute_seconds gauge account
dbpm_account_forecast_compute_seconds gauge account bound
dbpm_account_forecast_cost gauge account currency bound
dbpm_account_forecast_error_ratio gauge account method
dbpm_account_forecast_coverage_ratio gauge account
dbpm_account_reported_compute_seconds gauge account
dbpm_account_reconstructed_compute_seconds gauge account bound
dbpm_account_usage_drift_ratio gauge account
dbpm_account_metered_compute_unit_seconds_total counter account
dbpm_account_metered_storage_byte_months_total counter account kind
dbpm_account_metered_transfer_bytes_total counter account network
dbpm_account_metered_extra_branch_months_total counter account
dbpm_account_metered_until_timestamp_seconds gauge account
dbpm_project_metered_compute_unit_seconds_total counter account project_id
dbpm_project_metered_storage_byte_months_total counter account project_id kind
dbpm_project_metered_transfer_bytes_total counter account project_id network
dbpm_project_metered_extra_branch_months_total counter account project_id
dbpm_account_ledger_compute_seconds gauge account ledger
dbpm_account_ledger_drift_projects gauge account likely_wrong
dbpm_project_ledger_drift_awake_seconds gauge account project_id likely_wrong
dbpm_project_ledger_drift_compute_seconds gauge account project_id likely_wrong
dbpm_group_period_compute_seconds gauge account grouping group
dbpm_group_period_cost gauge account grouping group currency
dbpm_project_period_cost gauge account project_id currency
dbpm_project_unusual_compute_seconds gauge account project_id
dbpm_account_period_line_cost gauge account currency line
dbpm_group_period_line_cost gauge account grouping group currency line
dbpm_project_period_line_cost gauge account project_id currency line
dbpm_project_unusual_transfer_bytes gauge account project_id network
dbpm_project_unusual_storage_growth_bytes gauge account project_id kind
dbpm_project_unusual_extra_branches gauge account project_id
dbpm_account_findings gauge account finding
dbpm_account_findings_compute_seconds_per_month gauge account finding
dbpm_account_findings_cost_per_month gauge account finding currency
dbpm_account_findings_done gauge account finding
dbpm_project_finding_branches gauge account project_id finding
dbpm_project_finding_cost_per_month gauge account project_id finding currency
dbpm_account_findings_done_compute_seconds_per_month gauge account finding
dbpm_account_findings_done_cost_per_month gauge account finding currency
dbpm_endpoint_finding_compute_seconds_per_month gauge account project_id endpoint_id finding
dbpm_endpoint_finding_cost_per_month gauge account project_id endpoint_id finding currency
dbpm_budget_limit gauge budget unit
dbpm_budget_spent gauge budget unit
dbpm_budget_used_ratio gauge budget
dbpm_budget_projected_ratio gauge budget
dbpm_budget_projected_bound_ratio gauge budget bound
dbpm_budget_threshold_ratio gauge budget kind threshold
dbpm_budget_burn_rate_ratio gauge budget window
dbpm_budget_exhausted_timestamp_seconds gauge budget
dbpm_budget_period_start_timestamp_seconds gauge budget
dbpm_budget_period_end_timestamp_seconds gauge budget
`;

const declared = catalog.flatMap(({ families }) => Object.values(families));

test('every promised metric of the watched resources is declared with its type and labels, and no other', () => {
  const lines = declared.map(({ name, type, labels }) => [name, type, ...labels].join(' '));
  expect(lines.toSorted()).toEqual(promised.trim().split('\n').toSorted());
});

test('names follow their types: only counters end in _total, and helps are sentences', () => {
  for (const { name, type, help } of declared) {
    expect(name.endsWith('_total'), name).toBe(type === 'counter');
    expect(help, name).toMatch(/^[A-Za-z].*\.$/);
  }
});

test('the buckets of the histogram rise', () => {
  const buckets = declared.flatMap(family => (family.type === 'histogram' ? family.buckets : []));
  expect(buckets).toEqual([1, 2, 5, 10, 30, 60, 300, 1800, 7200, 86400]);
});
