import { expect, test } from 'vitest';
import { typicalAccount, typicalProject } from '../../src/check/plan/typical-view.ts';
import type { AccountView } from '../../src/resources/account.ts';
import { catalog } from '../../src/resources/catalog.ts';
import { collectors } from '../../src/resources/collector.ts';
import { selectFamilies } from '../../src/resources/family-selection.ts';
import type { ProjectView } from '../../src/resources/project.ts';
import { samplesOf } from '../support/sample-line.ts';
import { withEndpoint, withOperations, withProject } from '../support/view-builder.ts';

const compact = selectFamilies(catalog, { mode: 'compact', exclude: [], collectors });

/** The samples of a compact page whose names begin so, without the labels that say whose they are. */
function compactLines(view: AccountView, prefix = 'dbpm_'): readonly string[] {
  return samplesOf(view, compact)
    .filter(({ series }) => series.startsWith(prefix) && series.includes('project_id='))
    .map(({ series, value }) => `${series.replace(/account="[^"]*",project_id="[^"]*",?/, '')} ${value}`);
}

const at = Date.UTC(2026, 0, 1) / 1000;
const project = (more: Partial<ProjectView> = {}): AccountView => ({
  ...typicalAccount,
  projects: [{ ...typicalProject(1), ...more }],
});

test('a project with one endpoint has seventeen series', () => {
  expect(compactLines(project())).toEqual([
    'dbpm_project_info{project_name="project",platform_id="",region_id="",provisioner="",pg_version="",proxy_host=""} 1',
    'dbpm_project_cpu_used_seconds_total{} 14400',
    'dbpm_project_cpu_used_reported_seconds{} 7200',
    `dbpm_project_updated_timestamp_seconds{} ${at}`,
    `dbpm_project_last_refresh_timestamp_seconds{} ${at}`,
    'dbpm_endpoint_info{endpoint_id="endpoint-1",branch_id="main",region_id="",type="read_write",host="",proxy_host="",pooler_mode=""} 1',
    'dbpm_endpoint_state{endpoint_id="endpoint-1",state="idle"} 1',
    'dbpm_endpoint_state_seconds_total{endpoint_id="endpoint-1",state="active"} 7200',
    'dbpm_endpoint_state_seconds_total{endpoint_id="endpoint-1",state="other"} 86400',
    'dbpm_endpoint_starts_total{endpoint_id="endpoint-1"} 40',
    'dbpm_endpoint_autoscaling_limit_max_cu{endpoint_id="endpoint-1"} 2',
    `dbpm_endpoint_last_active_timestamp_seconds{endpoint_id="endpoint-1"} ${at}`,
    `dbpm_endpoint_created_timestamp_seconds{endpoint_id="endpoint-1"} ${at}`,
    'dbpm_operations_total{action="any",status="finished"} 93',
    'dbpm_operations_total{action="any",status="failed"} 1',
    'dbpm_operation_attempt_failures_total{action="any"} 3',
    `dbpm_operation_last_failure_timestamp_seconds{action="apply_config"} ${at}`,
  ]);
});

test('it has twenty while its endpoint wakes', () => {
  const { endpoints, operations } = typicalProject(1);
  const waking = project({
    endpoints: endpoints.map(endpoint => ({ ...endpoint, pending_state: 'active' })),
    operations: {
      ended: [],
      attemptFailures: [],
      ...operations,
      inProgress: [{ action: 'start_compute', status: 'running', count: 1 }],
      oldestInProgressAt: at * 1000,
    },
  });
  const resting = compactLines(project());
  expect(compactLines(waking).filter(line => !resting.includes(line))).toEqual([
    'dbpm_endpoint_pending_state{endpoint_id="endpoint-1",state="active"} 1',
    'dbpm_operations_in_progress{action="start_compute",status="running"} 1',
    `dbpm_operation_oldest_in_progress_timestamp_seconds{} ${at}`,
  ]);
  expect(compactLines(waking)).toHaveLength(20);
});

test('flags are there only where they are set', () => {
  const flagged = (flag: boolean) => [
    ...compactLines(withProject({ locked: flag }), 'dbpm_project_locked'),
    ...compactLines(withEndpoint({ disabled: flag }), 'dbpm_endpoint_disabled'),
  ];
  expect(flagged(false)).toEqual([]);
  expect(flagged(true)).toEqual(['dbpm_project_locked{} 1', 'dbpm_endpoint_disabled{endpoint_id="e"} 1']);
});

test('counters are born at 0 once what they count is known, and not before', () => {
  const born = { ended: [], attemptFailures: [], inProgress: [] };
  expect(compactLines(withOperations(born), 'dbpm_operation')).toEqual([
    'dbpm_operations_total{action="any",status="finished"} 0',
    'dbpm_operations_total{action="any",status="failed"} 0',
    'dbpm_operation_attempt_failures_total{action="any"} 0',
  ]);
  expect(compactLines(withEndpoint({ stateDurations: [] }), 'dbpm_endpoint_state_seconds')).toEqual([
    'dbpm_endpoint_state_seconds_total{endpoint_id="e",state="active"} 0',
    'dbpm_endpoint_state_seconds_total{endpoint_id="e",state="other"} 0',
  ]);
  expect(compactLines(withEndpoint({}), 'dbpm_operation')).toEqual([]);
  expect(compactLines(withEndpoint({}), 'dbpm_endpoint_state')).toEqual([]);
});

test('however operations ended, they are counted as finished or failed, and the latest failure is shown', () => {
  const ended = (action: string, status: string, count: number, lastEndedAt: number) => ({
    action,
    status,
    count,
    lastEndedAt,
  });
  const view = withOperations({
    ended: [
      ended('start_compute', 'finished', 5, 9000),
      ended('start_compute', 'skipped', 2, 9000),
      ended('apply_config', 'error', 1, 3000),
      ended('create_branch', 'cancelled', 4, 7000),
      ended('create_branch', 'failed', 8, 1000),
    ],
  });
  expect(compactLines(view, 'dbpm_operations_total')).toEqual([
    'dbpm_operations_total{action="any",status="finished"} 7',
    'dbpm_operations_total{action="any",status="failed"} 13',
  ]);
  expect(compactLines(view, 'dbpm_operation_last_failure')).toEqual([
    'dbpm_operation_last_failure_timestamp_seconds{action="create_branch"} 7',
  ]);
});

test('a project says when it was created where its oldest endpoint does not', () => {
  const created = (endpointMs: number) =>
    compactLines(
      withProject({
        created_at: 1_000_000,
        endpoints: [{ account: 'main', project_id: 'p', endpoint_id: 'e', created_at: endpointMs }],
      }),
      'dbpm_project_created',
    );
  expect(created(1_059_999)).toEqual([]);
  expect(created(1_060_000)).toEqual(['dbpm_project_created_timestamp_seconds{} 1000']);
  expect(compactLines(withProject({ created_at: 1_000_000 }), 'dbpm_project_created')).toEqual([
    'dbpm_project_created_timestamp_seconds{} 1000',
  ]);
});
