import { expect, test } from 'vitest';
import { exportText, readTimedSamples } from '../support/backfill-export.ts';
import { HistoryFolder } from '../support/history-folder.ts';
import {
  apiKeysReading,
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';

/** Ten minutes before the daemon began: a branch, 60 s awake at 1 CU from 09:52:10 on, then a failure of two attempts. */
function watchOnce(folder: HistoryFolder): void {
  const history = folder.open();
  const created_at = '2026-11-21T09:50:00Z';
  const project = wireProject('p', { created_at, cpu_used_sec: 60, region_id: 'eu' });
  history.commitOne(projectsReading(startAt, [project]));
  const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
  const operations = [
    failedOperation('o4', 'apply_config', '09:53:00', '09:53:30'),
    operation('o3', 'suspend_compute', '09:53:05', '09:53:10'),
    operation('o2', 'start_compute', '09:52:00', '09:52:10'),
    operation('o1', 'create_branch', '09:50:00', '09:50:05'),
  ];
  history.commitOne(
    projectReading(startAt, 'p', { endpoints: [wireEndpoint('ep-1', { created_at, ...size })], operations }),
  );
  const keys = [
    wireKey(1, { created_at: '2026-11-21T09:52:30Z' }),
    wireKey(2, { last_used_at: '2026-11-21T09:53:00Z', last_used_from_addr: '192.0.2.1' }),
  ];
  history.commitOne(apiKeysReading(startAt, keys));
  folder.close(history);
}

function operation(id: string, action: string, from: string, until: string, fields = {}) {
  const times = { created_at: `2026-11-21T${from}Z`, updated_at: `2026-11-21T${until}Z` };
  return wireOperation(id, { action, ...times, ...fields });
}

function failedOperation(id: string, action: string, from: string, until: string) {
  return operation(id, action, from, until, { status: 'failed', failures_count: 2 });
}

/** From 09:52:00 to 09:53:30, every half minute; 1795254720 is 09:52:00. */
function exportHalfMinutes(...metrics: readonly string[]): string {
  using folder = new HistoryFolder();
  watchOnce(folder);
  const range = { fromAt: startAt - 8 * minute, untilAt: startAt - 6.5 * minute, stepMs: minute / 2 };
  return exportText(folder.file, { ...range, metrics, labels: { job: 'dbpm' } });
}

test('the past is lines with times, each series whole and under its family', () => {
  expect(exportHalfMinutes('dbpm_project_cpu_used_seconds_total', 'dbpm_endpoint_s*s_total')).toBe(
    `# TYPE dbpm_project_cpu_used_seconds counter
# UNIT dbpm_project_cpu_used_seconds seconds
# HELP dbpm_project_cpu_used_seconds Compute seconds used by the project: what cpu_used_sec added up to since it was first seen, across restarts and resets (polled).
dbpm_project_cpu_used_seconds_total{account="main",project_id="p",job="dbpm"} 0 1795254720
dbpm_project_cpu_used_seconds_total{account="main",project_id="p",job="dbpm"} 20 1795254750
dbpm_project_cpu_used_seconds_total{account="main",project_id="p",job="dbpm"} 50 1795254780
dbpm_project_cpu_used_seconds_total{account="main",project_id="p",job="dbpm"} 60 1795254810
# TYPE dbpm_endpoint_state_seconds counter
# UNIT dbpm_endpoint_state_seconds seconds
# HELP dbpm_endpoint_state_seconds Time the endpoint spent in each state, from its operations and the states that were read (polled).
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="init",job="dbpm"} 120 1795254720
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="init",job="dbpm"} 130 1795254750
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="init",job="dbpm"} 130 1795254780
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="init",job="dbpm"} 130 1795254810
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="active",job="dbpm"} 0 1795254720
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="active",job="dbpm"} 20 1795254750
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="active",job="dbpm"} 50 1795254780
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="active",job="dbpm"} 60 1795254810
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="idle",job="dbpm"} 0 1795254720
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="idle",job="dbpm"} 0 1795254750
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="idle",job="dbpm"} 0 1795254780
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="idle",job="dbpm"} 20 1795254810
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="stopped",job="dbpm"} 0 1795254720
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="stopped",job="dbpm"} 0 1795254750
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="stopped",job="dbpm"} 0 1795254780
dbpm_endpoint_state_seconds_total{account="main",project_id="p",endpoint_id="ep-1",state="stopped",job="dbpm"} 0 1795254810
# TYPE dbpm_endpoint_starts counter
# HELP dbpm_endpoint_starts Finished start_compute operations of the endpoint, each counted once (polled).
dbpm_endpoint_starts_total{account="main",project_id="p",endpoint_id="ep-1",job="dbpm"} 0 1795254720
dbpm_endpoint_starts_total{account="main",project_id="p",endpoint_id="ep-1",job="dbpm"} 1 1795254750
dbpm_endpoint_starts_total{account="main",project_id="p",endpoint_id="ep-1",job="dbpm"} 1 1795254780
dbpm_endpoint_starts_total{account="main",project_id="p",endpoint_id="ep-1",job="dbpm"} 1 1795254810
# TYPE dbpm_endpoint_suspends counter
# HELP dbpm_endpoint_suspends Finished suspend_compute operations of the endpoint, each counted once (polled).
dbpm_endpoint_suspends_total{account="main",project_id="p",endpoint_id="ep-1",job="dbpm"} 0 1795254720
dbpm_endpoint_suspends_total{account="main",project_id="p",endpoint_id="ep-1",job="dbpm"} 0 1795254750
dbpm_endpoint_suspends_total{account="main",project_id="p",endpoint_id="ep-1",job="dbpm"} 0 1795254780
dbpm_endpoint_suspends_total{account="main",project_id="p",endpoint_id="ep-1",job="dbpm"} 1 1795254810
# EOF
`,
  );
});

/** The values of each series at the four instants, by what its labels say besides whose it is; a dash where it is absent. */
function tell(metric: string): Readonly<Record<string, string>> {
  const told: Record<string, string[]> = {};
  for (const { name, labels, value, at } of readTimedSamples(exportHalfMinutes(metric))) {
    const own = labels.replace(/^account="main",(project_id="p",)?(endpoint_id="ep-1",)?/, '');
    const series = `${name.slice(metric.length)}${own.replace(/,?job="dbpm"/, '')}`;
    const values = told[series] ?? ['-', '-', '-', '-'];
    values[(at / 1000 - 1795254720) / 30] = String(value);
    told[series] = values;
  }
  return Object.fromEntries(Object.entries(told).map(([series, values]) => [series, values.join(' ')]));
}

/** The series that have anything but 0. */
function tellMoved(metric: string): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(tell(metric)).filter(([, values]) => values !== '0 0 0 0'));
}

test('an endpoint is in one state at a time', () => {
  expect(tell('dbpm_endpoint_state')).toEqual({
    'state="init"': '1 0 0 0',
    'state="active"': '0 1 1 0',
    'state="idle"': '0 0 0 1',
    'state="stopped"': '0 0 0 0',
  });
});

test('operations are counted when they end, born at 0, and are in progress before', () => {
  expect(Object.keys(tell('dbpm_operations_total'))).toHaveLength(14);
  expect(tellMoved('dbpm_operations_total')).toEqual({
    'action="create_branch",status="finished"': '1 1 1 1',
    'action="start_compute",status="finished"': '0 1 1 1',
    'action="suspend_compute",status="finished"': '0 0 0 1',
    'action="apply_config",status="failed"': '0 0 0 1',
  });
  expect(tellMoved('dbpm_operation_attempt_failures_total')).toEqual({ 'action="apply_config"': '0 0 0 2' });
  expect(tell('dbpm_operations_in_progress')).toEqual({
    'action="start_compute",status="running"': '1 - - -',
    'action="apply_config",status="running"': '- - 1 -',
  });
  expect(tell('dbpm_operation_oldest_in_progress_timestamp_seconds')).toEqual({
    '': '1795254720 - 1795254780 -',
  });
  expect(tell('dbpm_operation_last_failure_timestamp_seconds')).toEqual({
    'action="apply_config"': '- - - 1795254810',
  });
});

test('durations are counted with their operations', () => {
  const moved = tellMoved('dbpm_operation_duration_seconds');
  expect(moved['_bucketaction="start_compute",le="5.0"']).toBeUndefined();
  expect(moved['_bucketaction="start_compute",le="10.0"']).toBe('0 1 1 1');
  expect(moved['_sumaction="start_compute"']).toBe('0 10 10 10');
  expect(moved['_bucketaction="apply_config",le="10.0"']).toBeUndefined();
  expect(moved['_bucketaction="apply_config",le="30.0"']).toBe('0 0 0 1');
  expect(moved['_countaction="apply_config"']).toBe('0 0 0 1');
});

test('a key is there from its creation on, and idle since its last use as far as that was seen', () => {
  expect(tell('dbpm_api_key_info')).toEqual({
    'key_id="1",key_name="key 1"': '- 1 1 1',
    'key_id="2",key_name="key 2"': '1 1 1 1',
  });
  expect(tell('dbpm_api_key_idle_since_timestamp_seconds')).toEqual({
    'key_id="1"': '- 1795254750 1795254750 1795254750',
    'key_id="2"': '- - 1795254780 1795254780',
  });
  expect(tell('dbpm_api_key_last_used_timestamp_seconds')).toEqual({
    'key_id="2"': '- - 1795254780 1795254780',
  });
  expect(tell('dbpm_api_key_stale')).toEqual({ 'key_id="1"': '- 0 0 0', 'key_id="2"': '- - 0 0' });
});

test('an account used what its projects did, and what was not yet read is not reported', () => {
  expect(tell('dbpm_account_cpu_used_seconds_total')).toEqual({ '': '0 20 50 60' });
  expect(tell('dbpm_project_cpu_used_reported_seconds')).toEqual({});
  expect(() => tell('dbpm_up')).toThrow('dbpm_up is no metric that an export can have');
});

test.each([60.0004, 60.0006])('fractions of a millisecond end as the page has them (%d)', cpu_used_sec => {
  using folder = new HistoryFolder();
  const history = folder.openListed([wireProject('p', { cpu_used_sec })]);
  folder.close(history);
  const range = { fromAt: startAt, untilAt: startAt + 1, stepMs: 1 };
  const text = exportText(folder.file, { ...range, metrics: ['*_cpu_used_seconds_total'] });
  expect(readTimedSamples(text).map(({ value }) => value)).toEqual(Array(4).fill(cpu_used_sec));
});
