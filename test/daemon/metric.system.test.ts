import { expect, test } from 'vitest';
import { accountOf, openDaemon, openService, untilTrue } from './open-daemon.ts';

/** Every metric users are promised. */
const promised = `
dbpm_up gauge
dbpm_auth_ok gauge
dbpm_collector_success gauge
dbpm_collector_last_success_timestamp_seconds gauge
dbpm_collector_last_duration_seconds gauge
dbpm_collector_errors_total counter
dbpm_project_info gauge
dbpm_project_cpu_used_seconds_total counter
dbpm_project_cpu_used_reported_seconds gauge
dbpm_project_cpu_used_resets_total counter
dbpm_account_cpu_used_seconds_total counter
dbpm_project_locked gauge
dbpm_project_branch_logical_size_limit gauge
dbpm_project_created_timestamp_seconds gauge
dbpm_project_updated_timestamp_seconds gauge
dbpm_project_last_refresh_timestamp_seconds gauge
dbpm_endpoint_info gauge
dbpm_endpoint_state gauge
dbpm_endpoint_pending_state gauge
dbpm_endpoint_state_seconds_total counter
dbpm_endpoint_starts_total counter
dbpm_endpoint_suspends_total counter
dbpm_endpoint_disabled gauge
dbpm_endpoint_pooler_enabled gauge
dbpm_endpoint_passwordless_access gauge
dbpm_endpoint_autoscaling_limit_min_cu gauge
dbpm_endpoint_autoscaling_limit_max_cu gauge
dbpm_endpoint_last_active_timestamp_seconds gauge
dbpm_endpoint_created_timestamp_seconds gauge
dbpm_endpoint_updated_timestamp_seconds gauge
dbpm_operations_total counter
dbpm_operation_attempt_failures_total counter
dbpm_operations_in_progress gauge
dbpm_operation_oldest_in_progress_timestamp_seconds gauge
dbpm_operation_last_failure_timestamp_seconds gauge
dbpm_operation_duration_seconds histogram
dbpm_api_key_info gauge
dbpm_api_key_created_timestamp_seconds gauge
dbpm_api_key_last_used_timestamp_seconds gauge
dbpm_api_key_idle_since_timestamp_seconds gauge
dbpm_api_key_stale gauge
dbpm_api_key_source_address_changes_total counter
dbpm_exporter_build_info gauge
dbpm_exporter_api_requests_total counter
dbpm_exporter_api_request_duration_seconds histogram
dbpm_exporter_request_budget_per_minute gauge
dbpm_account_paused_until_timestamp_seconds gauge
dbpm_exporter_request_demand_per_minute gauge
dbpm_exporter_oldest_due_timestamp_seconds gauge
dbpm_exporter_work_skipped_total counter
dbpm_exporter_sweep_interval_seconds gauge
dbpm_exporter_list_lag_seconds gauge
dbpm_exporter_light_readings gauge
dbpm_exporter_history_size_bytes gauge
dbpm_exporter_history_write_failures_total counter
dbpm_exporter_event_loop_delay_p99_seconds gauge
dbpm_exporter_event_loop_delay_max_seconds gauge
dbpm_exporter_published_series gauge
dbpm_exporter_published_timestamp_seconds gauge
dbpm_exporter_publish_duration_seconds gauge
dbpm_exporter_config_last_reload_successful gauge
dbpm_exporter_config_last_reload_success_timestamp_seconds gauge
`
  .trim()
  .split('\n');

test('a daemon has every promised metric on its page, of the promised type, with samples', async ({
  onTestFinished,
}) => {
  const service = await openService(onTestFinished, { pendingInLists: true });
  const daemon = await openDaemon(onTestFinished, [accountOf(service)]);
  await untilTrue(daemon, service);
  const [project] = (await service.tellTruth()).projects;
  const project_id = project?.project_id ?? '';
  const running = { project_id, action: 'apply_config', status: 'running' };
  await service.control('POST', '/operations', running);
  await service.control('POST', '/operations', { ...running, status: 'failed' });
  await untilTrue(daemon, service);
  const text = await daemon.read('/metrics');
  for (const line of promised) expect(text).toContain(`# TYPE ${line}\n`);
  const named = new Set((await daemon.scrape()).map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')));
  const silent = promised.map(line => line.split(' ')[0] ?? '').filter(name => !named.has(name));
  // Whether something waits for its turn at this very moment is left to chance.
  const mayWait = 'dbpm_exporter_oldest_due_timestamp_seconds';
  expect(silent.filter(name => name !== mayWait)).toEqual([
    'dbpm_endpoint_pending_state',
    'dbpm_account_paused_until_timestamp_seconds',
  ]);
});
