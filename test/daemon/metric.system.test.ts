import { describe, expect, it } from 'vitest';
import { sampleValue } from '../support/exposition-reader.ts';
import { listOpenMetricsProblems } from '../support/openmetrics-rules.ts';
import {
  accountOf,
  eventually,
  openDaemon,
  openService,
  openWatched,
  projectIds,
  untilTrue,
} from './open-daemon.ts';

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

interface Endpoint {
  readonly id: string;
}

describe.concurrent('a daemon that watches a service', () => {
  it('has every promised metric on its page, of the promised type, with samples', async ({
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
    const named = new Set(
      (await daemon.scrape()).map(({ name }) => name.replace(/_(bucket|sum|count)$/, '')),
    );
    const silent = promised.map(line => line.split(' ')[0] ?? '').filter(name => !named.has(name));
    // Whether something waits for its turn at this very moment is left to chance.
    const mayWait = 'dbpm_exporter_oldest_due_timestamp_seconds';
    expect(silent.filter(name => name !== mayWait)).toEqual([
      'dbpm_endpoint_pending_state',
      'dbpm_account_paused_until_timestamp_seconds',
    ]);
  });

  it('shows what the service counted: at the start, over paged projects, and after a day', async ({
    expect,
    onTestFinished,
  }) => {
    const service = await openService(onTestFinished, { projects: 12, pageProjects: 5, historyDays: 2 });
    const daemon = await openDaemon(onTestFinished, [accountOf(service)]);
    expect(projectIds(await untilTrue(daemon, service))).toHaveLength(12);
    await service.control('POST', '/advance', { seconds: 3600 });
    await untilTrue(daemon, service);
    await service.control('POST', '/advance', { seconds: 86_400 });
    await untilTrue(daemon, service);
  });

  it('shows a pending state while there is one, and each start that follows once', async ({
    expect,
    onTestFinished,
  }) => {
    const service = await openService(onTestFinished, { pendingInLists: true });
    const daemon = await openDaemon(onTestFinished, [accountOf(service)]);
    const created = await service.control<{ id: string; endpoints: Endpoint[] }>('POST', '/projects', {});
    const endpoint_id = created.endpoints[0]?.id ?? '';
    await service.control('POST', '/advance', { seconds: 3600 });
    const before = await untilTrue(daemon, service);
    await service.control('POST', `/endpoints/${endpoint_id}/connect`, { seconds: 60 });
    await eventually(async () => {
      const pending = { endpoint_id, state: 'active' };
      expect(sampleValue(await daemon.scrape(), 'dbpm_endpoint_pending_state', pending)).toBe(1);
    });
    await service.control('POST', '/advance', { seconds: 30 });
    const after = await eventually(async () => {
      const samples = await untilTrue(daemon, service);
      expect(sampleValue(samples, 'dbpm_endpoint_pending_state', { endpoint_id })).toBeUndefined();
      expect(sampleValue(samples, 'dbpm_endpoint_state', { endpoint_id, state: 'active' })).toBe(1);
      return samples;
    });
    const starts = sampleValue(before, 'dbpm_endpoint_starts_total', { endpoint_id }) ?? Number.NaN;
    expect(sampleValue(after, 'dbpm_endpoint_starts_total', { endpoint_id })).toBe(starts + 1);
  });

  it('keeps the rules of OpenMetrics and serves its other pages', async ({ expect, onTestFinished }) => {
    const { daemon } = await openWatched(onTestFinished);
    const headers = { accept: 'application/openmetrics-text;version=1.0.0' };
    const response = await fetch(`${daemon.url}/metrics`, { headers });
    expect(response.headers.get('content-encoding')).toBe('gzip');
    expect(listOpenMetricsProblems(await response.text())).toEqual([]);
    expect(await daemon.read('/')).toContain('<caption>Account main: up, 2 projects,');
    expect(await daemon.read('/-/ready')).toBe('dbpm-exporter is ready.\n');
  });
});
