import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  apiKeysReading,
  failedReading,
  minute,
  projectGoneReading,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireKey,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { linesOf, sampleValue } from '../support/sample-line.ts';

const projectIds = (history: History, now = startAt) =>
  viewOf(history, now).projects.map(({ project_id }) => project_id);
const endpointIds = (history: History, now = startAt) =>
  viewOf(history, now).projects.flatMap(({ endpoints }) => endpoints.map(({ endpoint_id }) => endpoint_id));
const two = [wireProject('a', { cpu_used_sec: 10 }), wireProject('b', { cpu_used_sec: 20 })];

describe('what a list no longer holds', () => {
  test('is gone when the list is complete, and only then', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    history.record(projectsReading(startAt + minute, two.slice(0, 1), { complete: false }));
    expect(projectIds(history)).toEqual(['a', 'b']);
    history.record(projectsReading(startAt + 2 * minute, two.slice(0, 1)));
    expect(projectIds(history)).toEqual(['a']);
    expect(projectIds(folder.reopen(history))).toEqual(['a']);
  });

  test('does not lower what the account used', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    history.record(projectsReading(startAt + minute, []));
    expect(linesOf(viewOf(history, startAt), 'dbpm_account_cpu')).toEqual([
      'dbpm_account_cpu_used_seconds_total{} 30',
    ]);
    expect(viewOf(folder.reopen(history), startAt).cpuUsedSeconds).toBe(30);
  });

  test('goes on counting where it was when it returns', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    history.record(projectsReading(startAt + minute, []));
    history.record(projectsReading(startAt + 2 * minute, [wireProject('a', { cpu_used_sec: 15 })]));
    const view = viewOf(history, startAt);
    expect(view.projects.map(({ project_id, cpuUsedSeconds }) => [project_id, cpuUsedSeconds])).toEqual([
      ['a', 15],
    ]);
    expect(view.cpuUsedSeconds).toBe(35);
  });

  test('is gone at once when the service says that a project does not exist', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    history.record(projectGoneReading(startAt + minute, 'a'));
    history.record(projectGoneReading(startAt + minute, 'never seen'));
    expect(projectIds(history)).toEqual(['b']);
  });

  test('holds for endpoints too: an incomplete list removes none, a complete one does, and they return', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    const both = [wireEndpoint('ep-1'), wireEndpoint('ep-2')];
    const read = (endpoints: readonly unknown[], complete = true) =>
      history.record(projectReading(startAt, 'a', { endpoints, operations: [] }, { complete }));
    read(both);
    read([], false);
    expect(endpointIds(history)).toEqual(['ep-1', 'ep-2']);
    read(both.slice(1));
    expect(endpointIds(history)).toEqual(['ep-2']);
    read(both);
    expect(endpointIds(history)).toEqual(['ep-1', 'ep-2']);
  });
});

describe('what could not be refreshed', () => {
  test('vanishes with its account once the list of projects failed for drop_after, and returns with it', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    const failedAt = startAt + minute;
    history.record(failedReading(failedAt, 'projects', 'unavailable'));
    history.record(failedReading(failedAt + 5 * minute, 'projects', 'timeout'));
    expect(projectIds(history, failedAt + 10 * minute - 1)).toEqual(['a', 'b']);
    expect(projectIds(history, failedAt + 10 * minute)).toEqual([]);
    expect(viewOf(history, failedAt + 10 * minute).cpuUsedSeconds).toBe(30);
    history.record(projectsReading(failedAt + 11 * minute, two));
    expect(projectIds(history, failedAt + 60 * minute)).toEqual(['a', 'b']);
  });

  test('vanishes alone when a partial list leaves it out for drop_after', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    for (const at of [startAt + minute, startAt + 2 * minute])
      history.record(projectsReading(at, two.slice(0, 1), { complete: false }));
    expect(projectIds(history, startAt + 11 * minute - 1)).toEqual(['a', 'b']);
    expect(projectIds(history, startAt + 11 * minute)).toEqual(['a']);
  });

  test('of one project vanishes without the others, endpoints and operations each on their own', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    for (const project_id of ['a', 'b']) {
      const read = { endpoints: [wireEndpoint('ep-1')], operations: [wireOperation('o')] };
      history.record(projectReading(startAt, project_id, read));
    }
    history.record(failedReading(startAt, 'endpoints', 'timeout', 'a'));
    history.record(failedReading(startAt, 'operations', 'timeout', 'b'));
    const view = viewOf(history, startAt + 10 * minute);
    const shown = view.projects.map(({ endpoints: [endpoint], operations, project_id }) => [
      project_id,
      endpoint?.current_state,
      endpoint?.starts,
      operations?.ended.length,
    ]);
    expect(shown).toEqual([
      ['a', undefined, undefined, 1],
      ['b', 'idle', undefined, undefined],
    ]);
    history.record(projectReading(startAt + 11 * minute, 'a', { endpoints: [wireEndpoint('ep-1')] }));
    expect(endpointIds(history, startAt + 30 * minute)).toEqual(['ep-1', 'ep-1']);
  });

  test('is served whole by a restart, with its true age, before the first reading', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    history.record(apiKeysReading(startAt, [wireKey(1)]));
    const read = { endpoints: [wireEndpoint('ep-1')], operations: [wireOperation('o')] };
    history.record(projectReading(startAt + second, 'a', read));
    const before = viewOf(history, startAt);
    const restarted = folder.reopen(history);
    expect(viewOf(restarted, startAt + 60 * minute)).toEqual(before);
    const refresh = 'dbpm_project_last_refresh_timestamp_seconds{project_id="a"}';
    expect(sampleValue(viewOf(restarted, startAt + 60 * minute), refresh)).toBe(startAt / 1000 + 1);
  });

  test('is refreshed only once endpoints and operations are both read', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    history.record(projectReading(startAt, 'a', { endpoints: [] }));
    history.record(projectReading(startAt, 'a', { operations: [] }));
    expect(viewOf(history, startAt).projects[0]?.lastRefreshAt).toBeUndefined();
    history.record(projectReading(startAt, 'a', { endpoints: [], operations: [] }));
    expect(viewOf(history, startAt).projects[0]?.lastRefreshAt).toBe(startAt);
  });
});

describe('a collector', () => {
  const health = (history: History, collector: string) =>
    linesOf(viewOf(history, startAt), 'dbpm_collector').filter(
      line => line.includes(`"${collector}"`) && !(line.includes('_errors_') && line.endsWith(' 0')),
    );

  test('never tried has only its errors, born at 0, and the account neither up nor down', () => {
    using folder = new HistoryFolder();
    const view = viewOf(folder.open(), startAt);
    expect([view.up, view.authOk, view.cpuUsedSeconds]).toEqual([undefined, undefined, undefined]);
    const lines = linesOf(view, 'dbpm_collector');
    expect(lines).toHaveLength(40);
    expect(lines.every(line => /^dbpm_collector_errors_total\{.*\} 0$/.test(line))).toBe(true);
  });

  test('keeps the time of its last success when it fails, and counts why', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two, { durationMs: 250 }));
    history.record(failedReading(startAt + minute, 'projects', 'rate_limited'));
    history.record(failedReading(startAt + minute, 'projects', 'rate_limited'));
    const expected = [
      'dbpm_collector_success{collector="projects"} 0',
      `dbpm_collector_last_success_timestamp_seconds{collector="projects"} ${startAt / 1000}`,
      'dbpm_collector_last_duration_seconds{collector="projects"} 0.12',
      'dbpm_collector_errors_total{collector="projects",reason="rate_limited"} 2',
    ];
    expect(health(history, 'projects')).toEqual(expected);
    expect(viewOf(history, startAt).up).toBe(false);
    expect(health(folder.reopen(history), 'projects')).toEqual(expected);
  });

  test('succeeds though items were unusable, and counts those as malformed', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, [...two, { id: null }, 'junk']));
    expect(projectIds(history)).toEqual(['a', 'b']);
    expect(health(history, 'projects')).toContain(
      'dbpm_collector_errors_total{collector="projects",reason="malformed"} 2',
    );
    expect(viewOf(history, startAt).up).toBe(true);
  });

  test('of many projects succeeds only while none of them fails', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    const succeeded = () =>
      sampleValue(viewOf(history, startAt), 'dbpm_collector_success{collector="endpoints"}');
    history.record(projectsReading(startAt, two));
    history.record(failedReading(startAt, 'endpoints', 'timeout', 'a'));
    history.record(projectReading(startAt, 'b', { endpoints: [] }));
    expect(succeeded()).toBe(0);
    history.record(projectReading(startAt, 'a', { endpoints: [] }));
    expect(succeeded()).toBe(1);
  });

  test('is not kept down by the failure of a project that is gone', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.record(projectsReading(startAt, two));
    history.record(failedReading(startAt, 'endpoints', 'timeout', 'a'));
    history.record(projectsReading(startAt + minute, two.slice(1)));
    history.record(failedReading(startAt + minute, 'endpoints', 'timeout', 'a'));
    history.record(projectReading(startAt + minute, 'b', { endpoints: [] }));
    expect(sampleValue(viewOf(history, startAt), 'dbpm_collector_success{collector="endpoints"}')).toBe(1);
  });

  test('that gets 401 says that the key is not accepted, until it is; other failures say nothing of it', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    const authOk = () => viewOf(history, startAt).authOk;
    history.record(failedReading(startAt, 'projects', 'forbidden'));
    expect(authOk()).toBeUndefined();
    history.record(failedReading(startAt, 'projects', 'unauthorized'));
    history.record(failedReading(startAt, 'projects', 'timeout'));
    expect(authOk()).toBe(false);
    history.record(projectsReading(startAt, two));
    expect(authOk()).toBe(true);
  });
});

test('accounts are kept apart though their projects share ids', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ accounts: ['main', 'second'] });
  history.record(projectsReading(startAt, two));
  history.record(projectsReading(startAt, [wireProject('a', { cpu_used_sec: 7 })], { account: 'second' }));
  history.record(failedReading(startAt, 'projects', 'unauthorized'));
  const shown = history
    .view(startAt)
    .map(({ account, authOk, projects }) => [account, authOk, projects.map(p => p.cpuUsedSeconds)]);
  expect(shown).toEqual([
    ['main', false, [10, 20]],
    ['second', true, [7]],
  ]);
});

test('a project without cpu_used_sec has no counter of it, and one that loses it keeps what it counted', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  history.record(projectsReading(startAt, [{ id: 'a' }, { id: 'b', cpu_used_sec: 20 }]));
  history.record(projectsReading(startAt + minute, [{ id: 'a' }, { id: 'b' }]));
  expect(linesOf(viewOf(history, startAt), 'dbpm_project_cpu')).toEqual([
    'dbpm_project_cpu_used_seconds_total{project_id="b"} 20',
    'dbpm_project_cpu_used_resets_total{project_id="b"} 0',
  ]);
});

test('a list of 10,000 projects read again writes nothing about them', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const fleet = Array.from({ length: 10_000 }, (_, index) =>
    wireProject(`p-${index}`, { cpu_used_sec: index }),
  );
  history.record(projectsReading(startAt, fleet));
  expect(projectIds(history)).toHaveLength(10_000);
  forbidChanges(folder.file);
  history.record(projectsReading(startAt + minute, fleet));
  expect(viewOf(history, startAt).cpuUsedSeconds).toBe((9999 * 10_000) / 2);
  const grown = fleet.with(0, wireProject('p-0', { cpu_used_sec: 1 }));
  expect(() => history.record(projectsReading(startAt + minute, grown))).toThrow('(changed)');
});

/** From now on every change of a project or a sample fails. */
function forbidChanges(file: string): void {
  const database = new Database(file);
  for (const table of ['project', 'cpu_sample']) {
    for (const change of ['INSERT', 'UPDATE', 'DELETE']) {
      database.exec(
        `CREATE TRIGGER no_${change}_${table} BEFORE ${change} ON ${table} BEGIN SELECT raise(ABORT, 'changed'); END`,
      );
    }
  }
  database.close();
}
