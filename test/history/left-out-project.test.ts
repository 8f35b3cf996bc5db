import { describe, expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import type { Collector } from '../../src/resources/collector.ts';
import type { ProjectGlobs } from '../../src/resources/project-filter.ts';
import { checkpointOf, HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  minute,
  projectReading,
  projectsReading,
  startAt,
  wireEndpoint,
  wireOperation,
  wireProject,
} from '../support/reading-builder.ts';
import { linesOf } from '../support/sample-line.ts';

const leaving = (...exclude: readonly string[]) => ({
  projects: new Map<string, ProjectGlobs>([['main', { include: ['*'], exclude }]]),
});
const projectIds = (history: History) =>
  viewOf(history, startAt).projects.map(({ project_id }) => project_id);
const knownIds = (history: History) =>
  [...history.knownProjects('main')].map(({ checkpoint }) => checkpoint.project_id);
const a = (cpu_used_sec: number) => wireProject('a', { cpu_used_sec });
const b = (cpu_used_sec: number) => wireProject('b', { cpu_used_sec });

describe('a project that is left out from a restart on', () => {
  test('is neither shown nor read, and not gone', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed([a(10), b(20)]);
    const without = folder.reopen(history, leaving('name of a'));
    expect(projectIds(without)).toEqual(['b']);
    expect(knownIds(without)).toEqual(['b']);
    without.record(projectsReading(startAt + minute, [b(20)]));
    expect(viewOf(without, startAt).lastProjectGoneAt).toBeUndefined();
    expect(projectIds(folder.reopen(without))).toEqual(['a', 'b']);
  });

  test('goes on counting where it was when it is watched again, and the account with it', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed([a(10), b(20)]);
    const without = folder.reopen(history, leaving('a'));
    without.record(projectsReading(startAt + minute, [b(25)]));
    expect(viewOf(without, startAt).cpuUsedSeconds).toBe(35);
    const again = folder.reopen(without);
    again.record(projectsReading(startAt + 2 * minute, [a(17), b(25)]));
    const view = viewOf(again, startAt);
    expect(view.projects.map(({ project_id, cpuUsedSeconds }) => [project_id, cpuUsedSeconds])).toEqual([
      ['a', 17],
      ['b', 25],
    ]);
    expect(view.cpuUsedSeconds).toBe(42);
  });

  test('does not keep those that are watched from being gone', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed([a(10), b(20)]);
    const without = folder.reopen(history, leaving('a'));
    without.record(projectsReading(startAt + minute, []));
    expect(projectIds(without)).toEqual([]);
    expect(viewOf(without, startAt).lastProjectGoneAt).toBe(startAt + minute);
    expect(projectIds(folder.reopen(without))).toEqual(['a']);
  });
});

describe('a project that gets a name which is left out', () => {
  const leftOut = [{ project_id: 'a', project_name: 'old a' }];

  test('is shown no more, now and after a restart, and is not gone', () => {
    using folder = new HistoryFolder();
    const history = folder.open(leaving('old *'));
    history.record(projectsReading(startAt, [a(10), b(20)]));
    history.record({ ...projectsReading(startAt + minute, [b(20)]), leftOut });
    expect(projectIds(history)).toEqual(['b']);
    history.record(projectReading(startAt + minute, 'a', { endpoints: [wireEndpoint('ep-1')] }));
    expect(projectIds(history)).toEqual(['b']);
    const restarted = folder.reopen(history, leaving('old *'));
    expect(knownIds(restarted)).toEqual(['b']);
    expect(viewOf(restarted, startAt).lastProjectGoneAt).toBeUndefined();
  });

  test('is back with its counters when it gets another', () => {
    using folder = new HistoryFolder();
    const history = folder.open(leaving('old *'));
    history.record(projectsReading(startAt, [a(10), b(20)]));
    history.record({ ...projectsReading(startAt + minute, [b(20)]), leftOut });
    history.record(projectsReading(startAt + 2 * minute, [a(15), b(20)]));
    expect(linesOf(viewOf(history, startAt), 'dbpm_project_cpu_used_seconds')).toEqual([
      'dbpm_project_cpu_used_seconds_total{project_id="a"} 15',
      'dbpm_project_cpu_used_seconds_total{project_id="b"} 20',
    ]);
  });
});

describe('when a project was last gone', () => {
  test('is known from the first that was on, by the clock of the service, across restarts', () => {
    using folder = new HistoryFolder();
    const history = folder.openListed([a(10), b(20)]);
    const lastGone = (of: History) => linesOf(viewOf(of, startAt), 'dbpm_account_last_project_gone');
    expect(lastGone(history)).toEqual([]);
    history.record(projectsReading(startAt + minute, [b(20)], { servedAt: startAt }));
    const line = `dbpm_account_last_project_gone_timestamp_seconds{} ${startAt / 1000}`;
    expect(lastGone(history)).toEqual([line]);
    expect(lastGone(folder.reopen(history))).toEqual([line]);
  });
});

describe('what a collector read that is off now', () => {
  const reopened = (folder: HistoryFolder, collectors: readonly Collector[]) => {
    const history = folder.openListed([a(10)]);
    const endpoints = [wireEndpoint('ep-1', { current_state: 'active' })];
    const operations = [wireOperation('op-1', { status: 'running' })];
    history.record(projectReading(startAt, 'a', { endpoints, operations }));
    expect(checkpointOf(history, 'a')).toMatchObject({ busy: true, known: { openIds: ['op-1'] } });
    return folder.reopen(history, { collectors });
  };

  test('makes no project busy, and is not followed', () => {
    using folder = new HistoryFolder();
    const history = reopened(folder, ['projects']);
    expect(checkpointOf(history, 'a')).toMatchObject({ busy: false, known: { openIds: [] } });
    const overviews = history.changes(startAt).map(({ overview }) => overview);
    expect(overviews).toMatchObject([{ endpoints: 0 }]);
  });

  test('leaves what the others read as it is', () => {
    using folder = new HistoryFolder();
    const history = reopened(folder, ['projects', 'endpoints']);
    expect(checkpointOf(history, 'a')).toMatchObject({ busy: true, known: { openIds: [] } });
    const [project] = viewOf(history, startAt).projects;
    expect(project?.endpoints).toMatchObject([{ endpoint_id: 'ep-1', current_state: 'active' }]);
    expect(project).not.toHaveProperty('operations');
  });
});
