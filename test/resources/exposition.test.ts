import { describe, expect, test } from 'vitest';
import type { AccountView } from '../../src/resources/account.ts';
import type { EndpointView } from '../../src/resources/endpoint.ts';
import type { ProjectView } from '../../src/resources/project.ts';
import { linesOf } from '../support/sample-line.ts';

const bare: AccountView = {
  account: 'main',
  collectors: [],
  operationDurations: [],
  projects: [],
  api_keys: [],
};
const bareProject: ProjectView = { account: 'main', project_id: 'p', endpoints: [] };
const bareEndpoint: EndpointView = { account: 'main', project_id: 'p', endpoint_id: 'e' };

function withProject(project: Partial<ProjectView>): AccountView {
  return { ...bare, projects: [{ ...bareProject, ...project }] };
}
function withEndpoint(endpoint: Partial<EndpointView>): AccountView {
  return withProject({ endpoints: [{ ...bareEndpoint, ...endpoint }] });
}
function withOperations(operations: Partial<NonNullable<ProjectView['operations']>>): AccountView {
  return withProject({ operations: { ended: [], attemptFailures: [], inProgress: [], ...operations } });
}

describe('an account', () => {
  test('that was never read has no sample but the histogram, born at 0', () => {
    expect(linesOf(bare, 'dbpm_').filter(line => !line.startsWith('dbpm_operation_duration'))).toEqual([]);
    expect(linesOf(bare, 'dbpm_operation_duration_seconds_count')).toEqual([
      'dbpm_operation_duration_seconds_count{action="apply_config"} 0',
      'dbpm_operation_duration_seconds_count{action="check_availability"} 0',
      'dbpm_operation_duration_seconds_count{action="create_branch"} 0',
      'dbpm_operation_duration_seconds_count{action="create_timeline"} 0',
      'dbpm_operation_duration_seconds_count{action="delete_tenant"} 0',
      'dbpm_operation_duration_seconds_count{action="start_compute"} 0',
      'dbpm_operation_duration_seconds_count{action="suspend_compute"} 0',
    ]);
  });

  test('says how it is doing and what it used', () => {
    const view: AccountView = { ...bare, up: true, authOk: false, cpuUsedSeconds: 5400.5 };
    expect([...linesOf(view, 'dbpm_up'), ...linesOf(view, 'dbpm_a')]).toEqual([
      'dbpm_up{} 1',
      'dbpm_auth_ok{} 0',
      'dbpm_account_cpu_used_seconds_total{} 5400.5',
    ]);
  });

  test('has every reason of errors born at 0, and of a collector never tried nothing else', () => {
    const collectors: AccountView['collectors'] = [
      {
        collector: 'projects',
        success: true,
        lastSuccessAt: 1500,
        lastDurationMs: 250,
        errors: { locked: 2 },
      },
      { collector: 'api_keys', errors: {} },
    ];
    const lines = linesOf({ ...bare, collectors }, 'dbpm_collector');
    expect(lines.filter(line => line.includes('"projects"'))).toEqual([
      'dbpm_collector_success{collector="projects"} 1',
      'dbpm_collector_last_success_timestamp_seconds{collector="projects"} 1.5',
      'dbpm_collector_last_duration_seconds{collector="projects"} 0.25',
      'dbpm_collector_errors_total{collector="projects",reason="unauthorized"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="forbidden"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="not_found"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="rate_limited"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="locked"} 2',
      'dbpm_collector_errors_total{collector="projects",reason="unavailable"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="timeout"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="network"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="malformed"} 0',
      'dbpm_collector_errors_total{collector="projects",reason="too_large"} 0',
    ]);
    const untried = lines.filter(line => line.includes('"api_keys"'));
    expect(untried).toHaveLength(10);
    expect(untried.every(line => /^dbpm_collector_errors_total.* 0$/.test(line))).toBe(true);
  });

  test('shows how long operations took as a cumulative histogram', () => {
    const seconds = { cumulativeCounts: [0, 1, 1, 1, 1, 2, 2, 2, 2, 2], count: 3, sum: 100_062 };
    const view: AccountView = { ...bare, operationDurations: [{ action: 'restore', seconds }] };
    expect(linesOf(view, 'dbpm_operation').filter(line => line.includes('restore'))).toEqual([
      'dbpm_operation_duration_seconds_bucket{action="restore",le="1"} 0',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="2"} 1',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="5"} 1',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="10"} 1',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="30"} 1',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="60"} 2',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="300"} 2',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="1800"} 2',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="7200"} 2',
      'dbpm_operation_duration_seconds_bucket{action="restore",le="86400"} 2',
      'dbpm_operation_duration_seconds_count{action="restore"} 3',
      'dbpm_operation_duration_seconds_sum{action="restore"} 100062',
    ]);
  });
});

describe('a project', () => {
  test('of which nothing but the id is known has only its info', () => {
    expect(linesOf(withProject({}), 'dbpm_project')).toEqual([
      'dbpm_project_info{project_id="p",project_name="",platform_id="",region_id="",provisioner="",pg_version="",proxy_host=""} 1',
    ]);
    expect(linesOf(withProject({}), 'dbpm_operation_')).toEqual(
      linesOf(bare, 'dbpm_operation_duration_seconds'),
    );
  });

  test('emits each of its samples once all is known', () => {
    const view = withProject({
      project_name: 'say "hi"',
      platform_id: 'aws',
      region_id: 'aws-us-east-2',
      provisioner: 'k8s-pod',
      pg_version: '15',
      proxy_host: 'proxy.example.com',
      locked: false,
      cpu_used_sec: 60,
      branch_logical_size_limit: 3072,
      created_at: 1_793_520_000_000,
      updated_at: 1_795_161_600_500,
      cpuUsedSeconds: 5400,
      cpuUsedResets: 1,
      lastRefreshAt: 1_795_255_200_000,
    });
    expect(linesOf(view, 'dbpm_project')).toEqual([
      'dbpm_project_info{project_id="p",project_name="say \\"hi\\"",platform_id="aws",region_id="aws-us-east-2",provisioner="k8s-pod",pg_version="15",proxy_host="proxy.example.com"} 1',
      'dbpm_project_cpu_used_seconds_total{project_id="p"} 5400',
      'dbpm_project_cpu_used_reported_seconds{project_id="p"} 60',
      'dbpm_project_cpu_used_resets_total{project_id="p"} 1',
      'dbpm_project_locked{project_id="p"} 0',
      'dbpm_project_branch_logical_size_limit{project_id="p"} 3072',
      'dbpm_project_created_timestamp_seconds{project_id="p"} 1793520000',
      'dbpm_project_updated_timestamp_seconds{project_id="p"} 1795161600.5',
      'dbpm_project_last_refresh_timestamp_seconds{project_id="p"} 1795255200',
    ]);
  });
});

describe('an endpoint', () => {
  test('of which nothing but the id is known has only its info', () => {
    expect(linesOf(withEndpoint({}), 'dbpm_endpoint')).toEqual([
      'dbpm_endpoint_info{project_id="p",endpoint_id="e",branch_id="",region_id="",type="",host="",proxy_host="",pooler_mode=""} 1',
    ]);
  });

  test('emits each of its samples once all is known', () => {
    const view = withEndpoint({
      branch_id: 'br-1',
      region_id: 'aws-us-east-2',
      type: 'read_only',
      host: 'ep.example.com',
      proxy_host: 'proxy.example.com',
      pooler_mode: 'transaction',
      current_state: 'idle',
      pending_state: 'active',
      autoscaling_limit_min_cu: 0.25,
      autoscaling_limit_max_cu: 56,
      disabled: true,
      pooler_enabled: false,
      passwordless_access: true,
      last_active: 1_795_251_600_000,
      created_at: 1_793_520_000_000,
      updated_at: 1_795_161_600_000,
      starts: 4,
      suspends: 0,
      stateDurations: [
        { state: 'active', durationMs: 90_500 },
        { state: 'warming', durationMs: 2_000 },
      ],
    });
    expect(
      linesOf(view, 'dbpm_endpoint').map(line => line.replace('project_id="p",endpoint_id="e"', 'E')),
    ).toEqual([
      'dbpm_endpoint_info{E,branch_id="br-1",region_id="aws-us-east-2",type="read_only",host="ep.example.com",proxy_host="proxy.example.com",pooler_mode="transaction"} 1',
      'dbpm_endpoint_state{E,state="init"} 0',
      'dbpm_endpoint_state{E,state="active"} 0',
      'dbpm_endpoint_state{E,state="idle"} 1',
      'dbpm_endpoint_state{E,state="stopped"} 0',
      'dbpm_endpoint_pending_state{E,state="active"} 1',
      'dbpm_endpoint_state_seconds_total{E,state="init"} 0',
      'dbpm_endpoint_state_seconds_total{E,state="active"} 90.5',
      'dbpm_endpoint_state_seconds_total{E,state="idle"} 0',
      'dbpm_endpoint_state_seconds_total{E,state="stopped"} 0',
      'dbpm_endpoint_state_seconds_total{E,state="warming"} 2',
      'dbpm_endpoint_starts_total{E} 4',
      'dbpm_endpoint_suspends_total{E} 0',
      'dbpm_endpoint_disabled{E} 1',
      'dbpm_endpoint_pooler_enabled{E} 0',
      'dbpm_endpoint_passwordless_access{E} 1',
      'dbpm_endpoint_autoscaling_limit_min_cu{E} 0.25',
      'dbpm_endpoint_autoscaling_limit_max_cu{E} 56',
      'dbpm_endpoint_last_active_timestamp_seconds{E} 1795251600',
      'dbpm_endpoint_created_timestamp_seconds{E} 1793520000',
      'dbpm_endpoint_updated_timestamp_seconds{E} 1795161600',
    ]);
  });

  test.each(['init', 'active', 'idle', 'stopped', 'warming', 'other'])(
    'in the state %s has exactly one state that is 1',
    current_state => {
      const lines = linesOf(withEndpoint({ current_state }), 'dbpm_endpoint_state{');
      expect(lines.filter(line => line.endsWith(' 1'))).toEqual([
        `dbpm_endpoint_state{project_id="p",endpoint_id="e",state="${current_state}"} 1`,
      ]);
      expect(lines).toHaveLength(['warming', 'other'].includes(current_state) ? 5 : 4);
    },
  );
});

describe('operations', () => {
  const born = [
    'dbpm_operations_total{project_id="p",action="apply_config",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="apply_config",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="check_availability",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="check_availability",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="create_branch",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="create_branch",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="create_timeline",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="create_timeline",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="delete_tenant",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="delete_tenant",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="start_compute",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="start_compute",status="failed"} 0',
    'dbpm_operations_total{project_id="p",action="suspend_compute",status="finished"} 0',
    'dbpm_operations_total{project_id="p",action="suspend_compute",status="failed"} 0',
  ];

  test('that are known to be none are born at 0, and nothing is said of failures or progress', () => {
    const view = withOperations({});
    expect(linesOf(view, 'dbpm_operations_')).toEqual(born);
    expect(linesOf(view, 'dbpm_operation_attempt')).toEqual([
      'dbpm_operation_attempt_failures_total{project_id="p",action="apply_config"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="check_availability"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="create_branch"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="create_timeline"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="delete_tenant"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="start_compute"} 0',
      'dbpm_operation_attempt_failures_total{project_id="p",action="suspend_compute"} 0',
    ]);
    expect(linesOf(view, 'dbpm_operation_last')).toEqual([]);
    expect(linesOf(view, 'dbpm_operation_oldest')).toEqual([]);
  });

  test('with unknown actions and statuses pass through beside those born at 0', () => {
    const view = withOperations({
      ended: [
        { action: 'start_compute', status: 'finished', count: 5, lastEndedAt: 9000 },
        { action: 'start_compute', status: 'skipped', count: 1, lastEndedAt: 9000 },
        { action: 'a b', status: 'c', count: 1 },
        { action: 'a', status: 'b c', count: 2 },
      ],
    });
    expect(linesOf(view, 'dbpm_operations_total').filter(line => !born.includes(line))).toEqual([
      'dbpm_operations_total{project_id="p",action="start_compute",status="finished"} 5',
      'dbpm_operations_total{project_id="p",action="start_compute",status="skipped"} 1',
      'dbpm_operations_total{project_id="p",action="a b",status="c"} 1',
      'dbpm_operations_total{project_id="p",action="a",status="b c"} 2',
    ]);
  });

  test('under way show how many, of what, and since when', () => {
    const view = withOperations({
      inProgress: [{ action: 'start_compute', status: 'running', count: 2 }],
      oldestInProgressAt: 1_795_255_200_000,
    });
    expect([...linesOf(view, 'dbpm_operations_in'), ...linesOf(view, 'dbpm_operation_oldest')]).toEqual([
      'dbpm_operations_in_progress{project_id="p",action="start_compute",status="running"} 2',
      'dbpm_operation_oldest_in_progress_timestamp_seconds{project_id="p"} 1795255200',
    ]);
  });

  test('that failed show the latest failure of each action, whatever the word for it', () => {
    const view = withOperations({
      ended: [
        { action: 'apply_config', status: 'failed', count: 1, lastEndedAt: 8000 },
        { action: 'apply_config', status: 'error', count: 1, lastEndedAt: 9500 },
        { action: 'apply_config', status: 'finished', count: 1, lastEndedAt: 99_000 },
        { action: 'restore', status: 'cancelled', count: 1, lastEndedAt: 7000 },
      ],
    });
    expect(linesOf(view, 'dbpm_operation_last')).toEqual([
      'dbpm_operation_last_failure_timestamp_seconds{project_id="p",action="apply_config"} 9.5',
      'dbpm_operation_last_failure_timestamp_seconds{project_id="p",action="restore"} 7',
    ]);
  });
});

describe('an API key', () => {
  test('never used is idle since its creation and has no last use', () => {
    const key = {
      account: 'main',
      key_id: '7',
      key_name: 'ci',
      created_at: 5000,
      idleSinceAt: 5000,
      stale: true,
      sourceAddressChanges: 0,
    };
    expect(linesOf({ ...bare, api_keys: [key] }, 'dbpm_api_key')).toEqual([
      'dbpm_api_key_info{key_id="7",key_name="ci"} 1',
      'dbpm_api_key_created_timestamp_seconds{key_id="7"} 5',
      'dbpm_api_key_idle_since_timestamp_seconds{key_id="7"} 5',
      'dbpm_api_key_stale{key_id="7"} 1',
      'dbpm_api_key_source_address_changes_total{key_id="7"} 0',
    ]);
  });

  test('whose creation is not reported says nothing of idleness', () => {
    const key = { account: 'main', key_id: '7', last_used_at: 9000, sourceAddressChanges: 2 };
    expect(linesOf({ ...bare, api_keys: [key] }, 'dbpm_api_key')).toEqual([
      'dbpm_api_key_info{key_id="7",key_name=""} 1',
      'dbpm_api_key_last_used_timestamp_seconds{key_id="7"} 9',
      'dbpm_api_key_source_address_changes_total{key_id="7"} 2',
    ]);
  });
});
