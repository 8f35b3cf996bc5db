import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  day,
  instant,
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';

const hour = 60 * minute;

const counters = (history: History) => {
  const { cpuUsedSeconds, projects } = viewOf(history, startAt);
  return { total: projects[0]?.cpuUsedSeconds, reported: projects[0]?.cpu_used_sec, account: cpuUsedSeconds };
};

function openWatched(folder: HistoryFolder, cpu_used_sec: number, cu: number | undefined): History {
  const history = folder.openListed([wireProject('p', { cpu_used_sec })]);
  if (cu === undefined) return history;
  const sizes = { autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu };
  history.record(projectReading(startAt, 'p', { endpoints: [wireEndpoint('ep-1', sizes)], operations: [] }));
  return history;
}

function list(history: History, afterMs: number, cpu_used_sec: unknown): void {
  history.record(projectsReading(startAt + afterMs, [wireProject('p', { cpu_used_sec })]));
}

test.each([9e12, 1e6 + 1000])('a value nobody can have used (%d) is shown, and counts for nothing', value => {
  for (const cu of [7, undefined]) {
    using folder = new HistoryFolder();
    let history = openWatched(folder, 1000, cu);
    list(history, 10 * second, value);
    expect(counters(history)).toEqual({ total: 1000, reported: value, account: 1000 });
    history = folder.reopen(history);
    list(history, 20 * second, value);
    list(history, 30 * second, 1010);
    expect(counters(history)).toEqual({ total: 1010, reported: 1010, account: 1010 });
  }
});

test('a value held back counts once it can be true, by the time since the last one that was believed', () => {
  using folder = new HistoryFolder();
  let history = openWatched(folder, 1000, 7);
  for (let passedMs = 10 * minute; passedMs <= 20 * hour; passedMs += 10 * minute) {
    list(history, passedMs, 1_001_000);
    history = folder.reopen(history);
    // Twice what the largest size uses, over the time and an hour.
    const isPossible = 2 * 7 * (passedMs + hour) >= 1e9;
    expect({ passedMs, ...counters(history) }).toMatchObject({
      passedMs,
      total: isPossible ? 1_001_000 : 1000,
    });
  }
  expect(counters(history).total).toBe(1_001_000);
});

test('what was used while nobody watched counts at once, however much', () => {
  using folder = new HistoryFolder();
  const history = openWatched(folder, 1000, 7);
  const used = 30 * 24 * 3600 * 7;
  const later = folder.reopen(history);
  list(later, 30 * day, 1000 + used);
  expect(counters(later).total).toBe(1000 + used);
});

test('a first value counts when the project is old enough for it', () => {
  using folder = new HistoryFolder();
  const history = folder.open();
  const read = (created_at: string | undefined, cpu_used_sec: number, id: string) => {
    history.record(
      projectsReading(startAt, [wireProject(id, { cpu_used_sec, ...(created_at && { created_at }) })]),
    );
    return viewOf(history, startAt).projects.find(({ project_id }) => project_id === id)?.cpuUsedSeconds;
  };
  expect(read(instant(startAt - 365 * day), 365 * 86_400 * 7, 'old')).toBe(365 * 86_400 * 7);
  expect(read(instant(startAt - minute), 5400, 'young')).toBe(5400);
  expect(read(instant(startAt - 365 * day), 9e12, 'mad')).toBeUndefined();
  expect(read(instant(startAt + 365 * day), 5400, 'unborn')).toBe(5400);
});

test('values that were held back are counted as such, by account and field, over restarts', () => {
  using folder = new HistoryFolder();
  let history = openWatched(folder, 1000, 7);
  expect(viewOf(history, startAt).implausible).toEqual({});
  list(history, 10 * second, 9e12);
  list(history, 20 * second, 9e12);
  list(history, 30 * second, -4);
  history = folder.reopen(history);
  expect(viewOf(history, startAt).implausible).toEqual({ cpu_used_sec: 3 });
});
