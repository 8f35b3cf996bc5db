import Database from 'better-sqlite3';
import { describe, expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewAll, viewOf } from '../support/history-folder.ts';
import {
  failedReading,
  minute,
  projectGoneReading,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';
import { linesOf } from '../support/sample-line.ts';

const projectIds = (history: History, now = startAt) =>
  viewOf(history, now).projects.map(({ project_id }) => project_id);
const endpointIds = (history: History, now = startAt) =>
  viewOf(history, now).projects.flatMap(({ endpoints }) => endpoints.map(({ endpoint_id }) => endpoint_id));
const two = [wireProject('a', { cpu_used_sec: 10 }), wireProject('b', { cpu_used_sec: 20 })];

describe('what a list no longer holds', () => {
  test('is gone when the list is complete, and only then', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    history.record(projectsReading(startAt + minute, two.slice(0, 1), { complete: false }));
    expect(projectIds(history)).toEqual(['a', 'b']);
    history.record(projectsReading(startAt + 2 * minute, two.slice(0, 1)));
    expect(projectIds(history)).toEqual(['a']);
    expect(projectIds(folder.reopen(history))).toEqual(['a']);
  });

  test('does not lower what the account used', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
    history.record(projectsReading(startAt + minute, []));
    expect(linesOf(viewOf(history, startAt), 'dbpm_account_cpu')).toEqual([
      'dbpm_account_cpu_used_seconds_total{} 30',
    ]);
    expect(viewOf(folder.reopen(history), startAt).cpuUsedSeconds).toBe(30);
  });

  test('goes on counting where it was when it returns', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
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
    const history = folder.openListed(two);
    history.record(projectGoneReading(startAt + minute, 'a'));
    history.record(projectGoneReading(startAt + minute, 'never seen'));
    expect(projectIds(history)).toEqual(['b']);
  });

  test('holds for endpoints too: an incomplete list removes none, a complete one does, and they return', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed(two);
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

test('accounts are kept apart though their projects share ids', () => {
  using folder = new HistoryFolder();
  const history = folder.open({ accounts: ['main', 'second'] });
  history.record(projectsReading(startAt, two));
  history.record(projectsReading(startAt, [wireProject('a', { cpu_used_sec: 7 })], { account: 'second' }));
  history.record(failedReading(startAt, 'projects', 'unauthorized'));
  const shown = viewAll(history, startAt).map(({ account, authOk, projects }) => [
    account,
    authOk,
    projects.map(p => p.cpuUsedSeconds),
  ]);
  expect(shown).toEqual([
    ['main', false, [10, 20]],
    ['second', true, [7]],
  ]);
});

test('a project without cpu_used_sec has no counter of it, and one that loses it keeps what it counted', () => {
  using folder = new HistoryFolder();
  const history = folder.openListed([{ id: 'a' }, { id: 'b', cpu_used_sec: 20 }]);
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
