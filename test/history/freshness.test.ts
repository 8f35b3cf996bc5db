import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  apiKeysReading,
  failedReading,
  minute,
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

test('what changed is not forgotten when the history could not be looked at', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed(two);
  expect(projectIds(history)).toEqual(['a', 'b']);
  history.record(projectsReading(startAt + minute, two.slice(1)));
  const other = new Database(folder.file);
  other.exec('ALTER TABLE collector RENAME TO away');
  expect(() => history.changes(startAt)).toThrow(/no such table/);
  other.exec('ALTER TABLE away RENAME TO collector');
  other.close();
  history.showAgain();
  expect(projectIds(history)).toEqual(['b']);
});

describe('what could not be refreshed', () => {
  test('vanishes too when it was read but could not be written, and returns once it is', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    const other = new Database(folder.file);
    other.exec('BEGIN IMMEDIATE');
    const unwrittenAt = startAt + minute;
    expect(() => history.record(projectsReading(unwrittenAt, two))).toThrow(/could not be written/);
    other.close();
    expect(projectIds(history, unwrittenAt + 10 * minute - 1)).toEqual(['a', 'b']);
    expect(projectIds(history, unwrittenAt + 10 * minute)).toEqual([]);
    history.record(projectsReading(unwrittenAt + 11 * minute, two));
    expect(projectIds(history, unwrittenAt + 11 * minute)).toEqual(['a', 'b']);
  });

  test.each([
    ['alone', 'ABORT'],
    ['with all that was to be written with it', 'ROLLBACK'],
  ])('vanishes however often writing fails again, %s, and returns once it is written', (_how, action) => {
    using folder = new HistoryFolder();
    const history = folder.open();
    const readings = (at: number) => [
      projectsReading(at, two),
      apiKeysReading(at, [wireKey(1)]),
      projectReading(at, 'a', { endpoints: [wireEndpoint('ep-1')], operations: [wireOperation('o')] }),
    ];
    const shown = (at: number) => {
      const { projects, api_keys } = viewOf(history, at);
      return { projects: projects.map(({ project_id }) => project_id), keys: api_keys.length };
    };
    history.recordAll(readings(startAt));
    const refusal = folder.refuseWrites(action);
    const unwrittenAt = startAt + minute;
    for (let at = unwrittenAt; at < unwrittenAt + 10 * minute; at += minute) {
      expect(history.recordAll(readings(at)).map(recorded => 'error' in recorded)).toEqual([
        true,
        true,
        true,
      ]);
      expect(shown(at)).toEqual({ projects: ['a', 'b'], keys: 1 });
    }
    expect(endpointIds(history, unwrittenAt + 10 * minute)).toEqual([]);
    expect(shown(unwrittenAt + 10 * minute)).toEqual({ projects: [], keys: 0 });
    refusal.end();
    const writtenAt = unwrittenAt + 120 * minute;
    history.recordAll(readings(writtenAt));
    expect(shown(writtenAt)).toEqual({ projects: ['a', 'b'], keys: 1 });
    expect(endpointIds(history, writtenAt + 60 * minute)).toEqual(['ep-1']);
  });

  test('vanishes also when it is the failed readings that cannot be written', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    folder.refuseWrites('ABORT');
    const failedAt = startAt + minute;
    for (const at of [failedAt, failedAt + 9 * minute])
      expect(() => history.record(failedReading(at, 'projects', 'unavailable'))).toThrow(
        /could not be written/,
      );
    expect(projectIds(history, failedAt + 10 * minute - 1)).toEqual(['a', 'b']);
    expect(projectIds(history, failedAt + 10 * minute)).toEqual([]);
  });

  test('of endpoints vanishes when a reading that finds them unchanged cannot be written, and returns with the next', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    const read = { endpoints: [wireEndpoint('ep-1')], operations: [wireOperation('o')] };
    history.record(projectReading(startAt, 'a', read));
    const unchanged = (at: number) =>
      ({ ...projectReading(at, 'a', { operations: [] }), unchanged: true }) as const;
    const refusal = folder.refuseWrites('ABORT');
    expect(() => history.record(unchanged(startAt + minute))).toThrow(/could not be written/);
    expect(endpointIds(history, startAt + 11 * minute - 1)).toEqual(['ep-1']);
    expect(endpointIds(history, startAt + 11 * minute)).toEqual([]);
    refusal.end();
    history.record(unchanged(startAt + 12 * minute));
    expect(endpointIds(history, startAt + 60 * minute)).toEqual(['ep-1']);
  });

  test('of endpoints that the service does not give stays away when only operations are read', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    history.record(projectReading(startAt, 'a', { endpoints: [wireEndpoint('ep-1')], operations: [] }));
    history.record(failedReading(startAt, 'endpoints', 'timeout', 'a'));
    const unchanged = {
      ...projectReading(startAt + minute, 'a', { operations: [] }),
      unchanged: true,
    } as const;
    history.record(unchanged);
    expect(endpointIds(history, startAt + 10 * minute)).toEqual([]);
  });

  test("is stale by the service's clock, also while the service cannot be reached", () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    const key = wireKey(1, { last_used_at: new Date(startAt).toISOString() });
    const ahead = 50 * 24 * 60 * minute;
    history.record(apiKeysReading(startAt, [key], { servedAt: startAt + ahead }));
    history.record(failedReading(startAt + second, 'api_keys', 'network'));
    expect(viewOf(history, startAt + second).api_keys[0]?.stale).toBe(true);
  });

  test('vanishes with its account once the list of projects failed for drop_after, and returns with it', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    const failedAt = startAt + minute;
    history.record(failedReading(failedAt, 'projects', 'unavailable'));
    history.record(failedReading(failedAt + 5 * minute, 'projects', 'timeout'));
    expect(projectIds(history, failedAt + 10 * minute - 1)).toEqual(['a', 'b']);
    expect(projectIds(history, failedAt + 10 * minute)).toEqual([]);
    expect(viewOf(history, failedAt + 10 * minute).cpuUsedSeconds).toBe(30);
    history.record(projectsReading(failedAt + 11 * minute, two));
    expect(projectIds(history, failedAt + 60 * minute)).toEqual(['a', 'b']);
  });

  test('counts from when the first attempt began, however long it hung', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    history.record(failedReading(startAt + 5 * minute, 'projects', 'timeout', undefined, 4 * minute));
    expect(projectIds(history, startAt + 11 * minute - 1)).toEqual(['a', 'b']);
    expect(projectIds(history, startAt + 11 * minute)).toEqual([]);
  });

  test('of a list vanishes without what is still read of its projects', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    const listed = wireProject('a', { name: 'shop', cpu_used_sec: 10, locked: true });
    history.record(projectsReading(startAt, [listed]));
    history.record(failedReading(startAt, 'projects', 'unavailable'));
    const lostAt = startAt + 10 * minute;
    const read = { endpoints: [wireEndpoint('ep-1')], operations: [wireOperation('o')] };
    history.record(projectReading(lostAt - minute, 'a', read));
    const lines = linesOf(viewOf(history, lostAt), 'dbpm_');
    const namesOf = (prefix: string) =>
      [...new Set(lines.map(line => line.split('{')[0]))].filter(name => name?.startsWith(prefix));
    expect(namesOf('dbpm_project_')).toEqual([
      'dbpm_project_info',
      'dbpm_project_last_refresh_timestamp_seconds',
    ]);
    expect(namesOf('dbpm_operations_')).toEqual(['dbpm_operations_total']);
    expect(namesOf('dbpm_endpoint_info')).toEqual(['dbpm_endpoint_info']);
    expect(projectIds(history, lostAt + 9 * minute)).toEqual([]);
  });

  test('vanishes alone when a partial list leaves it out for drop_after', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    for (const at of [startAt + minute, startAt + 2 * minute])
      history.record(projectsReading(at, two.slice(0, 1), { complete: false }));
    expect(projectIds(history, startAt + 11 * minute - 1)).toEqual(['a', 'b']);
    expect(projectIds(history, startAt + 11 * minute)).toEqual(['a']);
  });

  test('of one project vanishes without the others, endpoints and operations each on their own', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
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
    const history = folder.openListed(two);
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
    const history = folder.openListed(two);
    history.record(projectReading(startAt, 'a', { endpoints: [] }));
    history.record(projectReading(startAt, 'a', { operations: [] }));
    expect(viewOf(history, startAt).projects[0]?.lastRefreshAt).toBeUndefined();
    history.record(projectReading(startAt, 'a', { endpoints: [], operations: [] }));
    expect(viewOf(history, startAt).projects[0]?.lastRefreshAt).toBe(startAt);
  });
});

test('what did not get onto the page is told again', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed(two);
  const told = () => history.changes(startAt).flatMap(({ projects }) => [...projects.keys()]);
  expect(told()).toEqual(['a', 'b']);
  expect(told()).toEqual([]);
  history.showAgain();
  expect(told()).toEqual(['a', 'b']);
  history.record(projectsReading(startAt + minute, two.slice(1)));
  expect(told()).toEqual(['a']);
  history.showAgain();
  expect(told().toSorted()).toEqual(['a', 'b']);
});

describe('a collector whose readings cannot be written', () => {
  const outcomes = (history: History, now: number) => {
    const { up, collectors } = viewOf(history, now);
    return { up, ...Object.fromEntries(collectors.map(({ collector, success }) => [collector, success])) };
  };
  const readings = (at: number) => [
    projectsReading(at, two),
    apiKeysReading(at, [wireKey(1)]),
    projectReading(at, 'a', { endpoints: [wireEndpoint('ep-1')], operations: [wireOperation('o')] }),
  ];
  const well = { up: true, projects: true, endpoints: true, operations: true, api_keys: true };
  const unwell = { up: false, projects: false, endpoints: false, operations: false, api_keys: false };

  test.each(['ABORT', 'ROLLBACK'])('does not succeed, and is of the age of what is written (%s)', action => {
    using folder = new HistoryFolder();
    const history = folder.open();
    history.recordAll(readings(startAt));
    expect(outcomes(history, startAt)).toEqual(well);
    const refusal = folder.refuseWrites(action);
    history.recordAll(readings(startAt + minute));
    expect(outcomes(history, startAt + minute)).toEqual(unwell);
    expect(viewOf(history, startAt + minute).collectors.map(({ lastSuccessAt }) => lastSuccessAt)).toEqual(
      Array(4).fill(startAt),
    );
    refusal.end();
    history.recordAll(readings(startAt + 2 * minute));
    expect(outcomes(history, startAt + 2 * minute)).toEqual(well);
  });

  test('fails from the first one on, also of a list of many pages', () => {
    using folder = new HistoryFolder();
    const history = folder.open();
    const other = new Database(folder.file);
    other.exec('BEGIN IMMEDIATE');
    const { kind, rejected, complete, ...page } = projectsReading(startAt, two);
    history.recordAll([{ kind: 'project_page', ...page }]);
    other.close();
    expect(viewOf(history, startAt)).toMatchObject({
      up: false,
      collectors: [{ success: false }, {}, {}, {}],
    });
  });

  test('refuses the key though that could not be written either', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    expect(viewOf(history, startAt).authOk).toBe(true);
    folder.refuseWrites('ROLLBACK');
    history.recordAll([failedReading(startAt + minute, 'projects', 'unauthorized')]);
    expect(viewOf(history, startAt + minute)).toMatchObject({ up: false, authOk: false });
  });

  test('is well though a project is missing in a list that was written', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    history.record({ ...projectsReading(startAt + minute, two.slice(1)), complete: false });
    expect(outcomes(history, startAt + minute)).toMatchObject({ up: true, projects: true });
  });
});
