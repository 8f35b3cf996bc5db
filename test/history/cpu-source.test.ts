import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import type { CpuSource } from '../../src/resources/cpu-source.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  day,
  failedReading,
  instant,
  minute,
  projectReading,
  projectsReading,
  startAt,
  usageReading,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';

const size = { autoscaling_limit_min_cu: 1, autoscaling_limit_max_cu: 1 };
const period = { consumption_period_start: instant(startAt - 5 * day) };

/** Project `p`, created when the history begins, with an endpoint of 1 CU. */
function list(
  history: History,
  atMinute: number,
  cpu_used_sec: number | undefined,
  cpuSource?: CpuSource,
): void {
  const item = { ...wireProject('p', { created_at: instant(startAt) }), cpu_used_sec };
  const reading = projectsReading(startAt + atMinute * minute, [item]);
  history.record({ ...reading, ...(cpuSource && { cpuSource }) });
}

function use(history: History, atMinute: number, compute_time_seconds: number, more: object = period): void {
  history.record(usageReading(startAt + atMinute * minute, 'p', { compute_time_seconds, ...more }));
}

function counters(history: History) {
  const { projects, cpuUsedSeconds, cpuSource } = viewOf(history, startAt);
  const [project] = projects;
  return {
    total: project?.cpuUsedSeconds,
    account: cpuUsedSeconds,
    reported: project?.cpu_used_sec,
    resets: project?.cpuUsedResets,
    source: cpuSource,
  };
}

function openFile(file: string) {
  const database = new Database(file, { readonly: true });
  return { rows: (sql: string) => database.prepare(sql).all(), [Symbol.dispose]: () => database.close() };
}

test('a counter goes on without a step from the list to the project and back, over restarts', () => {
  using folder = new HistoryFolder();
  let history = folder.open();
  list(history, 0, 100);
  list(history, 10, 400);
  expect(counters(history)).toEqual({
    total: 400,
    account: 400,
    reported: 400,
    resets: 0,
    source: undefined,
  });
  list(history, 20, undefined, 'project');
  use(history, 20, 7000);
  expect(counters(history)).toEqual({ total: 400, account: 400, resets: 0, source: 'project' });
  history = folder.reopen(history);
  list(history, 30, undefined, 'project');
  use(history, 30, 7090);
  use(history, 31, 7090);
  expect(counters(history)).toMatchObject({ total: 490, account: 490 });
  list(history, 40, 50, 'project');
  expect(counters(history)).toMatchObject({ total: 490, account: 490, reported: 50 });
  history = folder.reopen(history);
  list(history, 50, 60);
  list(history, 51, 65);
  expect(counters(history)).toEqual({ total: 495, account: 495, reported: 65, resets: 0, source: undefined });
  use(history, 60, 9000);
  expect(counters(history)).toMatchObject({ total: 495 });
});

test('a project whose list never told anything has all it used in its period counted', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  list(history, 0, undefined);
  expect(counters(history)).toEqual({});
  use(history, 1, 30);
  list(history, 2, undefined, 'project');
  use(history, 3, 50);
  expect(counters(history)).toEqual({ total: 50, account: 50, resets: 0, source: 'project' });
});

test('a new billing period is a reset that needs no second reading', () => {
  using folder = new HistoryFolder();
  let history = folder.open();
  list(history, 0, undefined, 'project');
  use(history, 0, 0);
  use(history, 60, 3600);
  history = folder.reopen(history);
  use(history, 65, 240, { consumption_period_start: instant(startAt + 61 * minute) });
  expect(counters(history)).toMatchObject({ total: 3840, account: 3840, resets: 1 });
});

test('what nobody can have used is held back, and counted as a value that cannot be true', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  list(history, 0, undefined, 'project');
  history.record(projectReading(startAt, 'p', { endpoints: [wireEndpoint('ep-1', size)], operations: [] }));
  use(history, 0, 0);
  use(history, 1, 9e12);
  expect(counters(history)).toMatchObject({ total: 0 });
  expect(viewOf(history, startAt).implausible).toEqual({ cpu_used_sec: 1 });
});

test('use that could not be read is an error of the list and leaves it up', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  list(history, 0, undefined, 'project');
  history.record({ ...failedReading(startAt + minute, 'projects', 'unavailable', 'p'), ofUse: true });
  const { up, collectors, projects } = viewOf(history, startAt + 20 * minute);
  expect([up, collectors[0]?.success, collectors[0]?.errors]).toEqual([true, true, { unavailable: 1 }]);
  expect(projects).toHaveLength(1);
});

test('use lies where the project was awake since it was last read, not where its list was', () => {
  using folder = new HistoryFolder();
  let history = folder.open();
  list(history, 0, undefined, 'project');
  use(history, 0, 100);
  for (let atMinute = 10; atMinute <= 300; atMinute += 10) list(history, atMinute, undefined, 'project');
  history = folder.reopen(history);
  list(history, 310, undefined, 'project');
  use(history, 310, 700);
  using database = openFile(folder.file);
  const last = database.rows(
    `SELECT (after_at - ${startAt}) / 60000 AS after, (at - ${startAt}) / 60000 AS at FROM cpu_sample ORDER BY at DESC`,
  )[0];
  expect(last).toEqual({ after: 0, at: 310 });
});
