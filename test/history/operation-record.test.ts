import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { checkpointOf, HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  importReading,
  minute,
  projectReading,
  projectsReading,
  startAt,
  type WireItem,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { linesOf, sampleValue } from '../support/sample-line.ts';

const started = 'dbpm_operations_total{project_id="p",action="start_compute",status="finished"}';
const starts = 'dbpm_endpoint_starts_total{project_id="p",endpoint_id="ep-1"}';

function watch(history: History, operations: readonly WireItem[], at = startAt): void {
  history.record(projectsReading(at, [{ id: 'p' }]));
  read(history, operations, at);
}
function read(history: History, operations: readonly WireItem[], at = startAt): void {
  history.record(projectReading(at, 'p', { endpoints: [wireEndpoint('ep-1')], operations }));
}
const value = (history: History, series: string) => sampleValue(viewOf(history, startAt), series);

test('the same page read again counts nothing again', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const page = [wireOperation('b'), wireOperation('a')];
  watch(history, page);
  read(history, page);
  expect(value(history, started)).toBe(2);
  expect(value(history, starts)).toBe(2);
});

test('pages that overlap count what they share once', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  watch(history, [wireOperation('b'), wireOperation('a')]);
  read(history, [wireOperation('c'), wireOperation('b')]);
  expect(value(history, started)).toBe(3);
});

test('one page holding an operation twice, under way and finished, counts it once', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  watch(history, [wireOperation('a'), wireOperation('a', { status: 'running' }), wireOperation('a')]);
  expect(value(history, started)).toBe(1);
  expect(linesOf(viewOf(history, startAt), 'dbpm_operations_in_progress')).toEqual([]);
});

test('a restart between two readings of the same page counts nothing again', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  watch(history, [wireOperation('a')]);
  const restarted = folder.reopen(history);
  expect(value(restarted, started)).toBe(1);
  read(restarted, [wireOperation('a')]);
  expect(value(restarted, started)).toBe(1);
});

test('an operation counts when it ends, under the word it ended with', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const created_at = '2026-11-21T09:00:00Z';
  const running = wireOperation('a', { action: 'restore', status: 'running', created_at });
  watch(history, [running]);
  expect(linesOf(viewOf(history, startAt), 'dbpm_operations_in_progress')).toEqual([
    'dbpm_operations_in_progress{project_id="p",action="restore",status="running"} 1',
  ]);
  expect(value(history, 'dbpm_operation_oldest_in_progress_timestamp_seconds{project_id="p"}')).toBe(
    Date.parse(created_at) / 1000,
  );
  expect(checkpointOf(history, 'p').known.openIds).toEqual(['a']);
  read(history, [{ ...running, status: 'cancelled', updated_at: '2026-11-21T09:00:40Z' }]);
  const lines = linesOf(viewOf(history, startAt), 'dbpm_operation');
  expect(lines.filter(line => line.includes('restore') && !line.includes('_bucket'))).toEqual([
    'dbpm_operations_total{project_id="p",action="restore",status="cancelled"} 1',
    'dbpm_operation_last_failure_timestamp_seconds{project_id="p",action="restore"} 1795251640',
    'dbpm_operation_duration_seconds_count{action="restore"} 1',
    'dbpm_operation_duration_seconds_sum{action="restore"} 40',
  ]);
  expect(checkpointOf(history, 'p').known.openIds).toEqual([]);
});

test('a page that is behind takes no operation back from its end', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  watch(history, [wireOperation('a')]);
  read(history, [wireOperation('a', { status: 'running', updated_at: '2026-11-21T09:00:01Z' })]);
  expect(linesOf(viewOf(history, startAt), 'dbpm_operations_in_progress')).toEqual([]);
  read(history, [wireOperation('a')]);
  expect(value(history, started)).toBe(1);
  expect(checkpointOf(history, 'p').known.openIds).toEqual([]);
});

test('an operation that ends a second time in another way stays counted as it first ended', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  watch(history, [wireOperation('a')]);
  read(history, [wireOperation('a', { status: 'failed' })]);
  expect(value(history, started)).toBe(1);
  expect(value(history, started.replace('finished', 'failed'))).toBe(0);
});

test('failed attempts count as failures_count grows, and never back', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const attempts = 'dbpm_operation_attempt_failures_total{project_id="p",action="start_compute"}';
  const seen = [2, 5, 3, 5].map((failures_count, index) => {
    const operation = wireOperation('a', { status: 'running', failures_count });
    if (index === 0) watch(history, [operation]);
    else read(history, [operation]);
    return value(history, attempts);
  });
  expect(seen).toEqual([2, 5, 5, 5]);
  read(history, [wireOperation('a', { failures_count: 6 })]);
  read(history, [wireOperation('a', { failures_count: 7 })]);
  expect(value(history, attempts)).toBe(7);
});

test('counters are absent until the operations were imported back to their beginning, then whole', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  expect(value(history, started)).toBeUndefined();
  const progress = { headAt: startAt, tailCursor: 'more' };
  const endpoints = [wireEndpoint('ep-1')];
  history.record(projectReading(startAt, 'p', { endpoints, operations: [wireOperation('c')] }, { progress }));
  expect(value(history, started)).toBeUndefined();
  expect(value(history, starts)).toBeUndefined();
  expect(checkpointOf(history, 'p').known).toEqual({ ...progress, openIds: [] });
  history.record(importReading(startAt, 'p', [wireOperation('b')], { progress }));
  const restarted = folder.reopen(history);
  expect(checkpointOf(restarted, 'p').known).toEqual({ ...progress, openIds: [] });
  restarted.record(importReading(startAt, 'p', [wireOperation('b'), wireOperation('a')]));
  expect(value(restarted, started)).toBe(3);
  expect(value(restarted, starts)).toBe(3);
});

test('a project born while the account is watched has its counters at 0 before its first operation is read', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([]);
  const created_at = new Date(startAt + minute / 2).toISOString();
  history.record(projectsReading(startAt + minute, [{ id: 'p', created_at }]));
  expect(value(history, started)).toBe(0);
  const failed = { action: 'apply_config', status: 'failed' };
  read(history, [wireOperation('a', failed)], startAt + minute);
  expect(value(history, 'dbpm_operations_total{project_id="p",action="apply_config",status="failed"}')).toBe(
    1,
  );
});

test('a project older than the watching does not pretend to begin at 0', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([]);
  history.record(projectsReading(startAt + minute, [{ id: 'p', created_at: '2026-11-01T00:00:00Z' }]));
  expect(value(history, started)).toBeUndefined();
});

test('an operation the service no longer has is no longer under way, and still counts should it return ended', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  watch(history, [wireOperation('a', { status: 'running' })]);
  const vanished = projectReading(startAt, 'p', { operations: [] }, { vanishedIds: ['a'] });
  history.record(vanished);
  expect(linesOf(viewOf(history, startAt), 'dbpm_operations_in_progress')).toEqual([]);
  expect(checkpointOf(history, 'p').known.openIds).toEqual([]);
  read(history, [wireOperation('a')]);
  history.record(vanished);
  expect(value(history, started)).toBe(1);
});

test('durations of operations outlive the project', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  watch(history, [wireOperation('a')]);
  history.record(projectsReading(startAt + minute, []));
  expect(value(history, started)).toBeUndefined();
  expect(value(history, 'dbpm_operation_duration_seconds_count{action="start_compute"}')).toBe(1);
});

test('an operation of an endpoint no list ever held counts for its project and makes no endpoint', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'p' }]);
  history.record(projectReading(startAt, 'p', { endpoints: [], operations: [wireOperation('a')] }));
  expect(value(history, started)).toBe(1);
  expect(linesOf(viewOf(history, startAt), 'dbpm_endpoint')).toEqual([]);
});

test('a project that comes back goes on where its operations were known', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  watch(history, [wireOperation('a')]);
  const { known } = checkpointOf(history, 'p');
  history.record(projectsReading(startAt + minute, []));
  const [checkpoint] = history.record(projectsReading(startAt + 2 * minute, [wireProject('p')]));
  expect(checkpoint).toEqual({ project_id: 'p', busy: false, known });
});

test.each(['constructor', '__proto__'])(
  'an operation may have the action %s: it changes no state, and counts',
  action => {
    using folder = new HistoryFolder();
    const history = folder.open();
    watch(history, [wireOperation('a')]);
    const updated_at = new Date(startAt + minute / 2).toISOString();
    read(history, [wireOperation('b', { action, updated_at })], startAt + minute);
    const series = `dbpm_operations_total{project_id="p",action="${action}",status="finished"}`;
    expect(value(history, series)).toBe(1);
  },
);
