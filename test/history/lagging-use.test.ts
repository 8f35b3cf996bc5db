import { expect, test } from 'vitest';
import type { History } from '../../src/history/history.ts';
import { HistoryFolder, viewOf } from '../support/history-folder.ts';
import {
  minute,
  projectReading,
  projectsReading,
  second,
  startAt,
  wireEndpoint,
  wireProject,
} from '../support/reading-builder.ts';

const counters = (history: History) => {
  const { cpuUsedSeconds, projects } = viewOf(history, startAt);
  const [project] = projects;
  return {
    account: cpuUsedSeconds,
    total: project?.cpuUsedSeconds,
    reported: project?.cpu_used_sec,
    resets: project?.cpuUsedResets,
  };
};

/** A history of a project with an endpoint of a size. */
function openWatched(folder: HistoryFolder, cpu_used_sec: number, cu = 7): History {
  const history = folder.openListed([wireProject('p', { cpu_used_sec })]);
  const sizes = { autoscaling_limit_min_cu: cu, autoscaling_limit_max_cu: cu };
  history.record(projectReading(startAt, 'p', { endpoints: [wireEndpoint('ep-1', sizes)], operations: [] }));
  return history;
}

function list(history: History, afterMs: number, cpu_used_sec: unknown): void {
  history.record(projectsReading(startAt + afterMs, [wireProject('p', { cpu_used_sec })]));
}

test.each([10 * second, minute, 20 * minute])(
  'replicas that alternate, one of them behind, multiply nothing (%d ms apart)',
  apartMs => {
    using folder = new HistoryFolder();
    let history = openWatched(folder, 1000);
    for (let reading = 1; reading <= 60; reading += 1) {
      list(history, reading * apartMs, reading % 2 === 0 ? 1000 : 850);
      if (reading % 7 === 0) history = folder.reopen(history);
    }
    expect(counters(history)).toEqual({ account: 1000, total: 1000, reported: 1000, resets: 0 });
  },
);

test('a counter that begins anew counts with the second value that says so, also after a restart', () => {
  using folder = new HistoryFolder();
  let history = openWatched(folder, 30_000);
  list(history, 10 * second, 0);
  expect(counters(history)).toEqual({ account: 30_000, total: 30_000, reported: 0, resets: 0 });
  history = folder.reopen(history);
  list(history, 20 * second, 40);
  expect(counters(history)).toEqual({ account: 30_040, total: 30_040, reported: 40, resets: 1 });
  list(history, 30 * second, 50);
  expect(counters(folder.reopen(history))).toEqual({
    account: 30_050,
    total: 30_050,
    reported: 50,
    resets: 1,
  });
});

test('a counter of a project at rest that stays at zero counts as set back with the second reading', () => {
  using folder = new HistoryFolder();
  const history = openWatched(folder, 30_000);
  for (const seconds of [10, 20, 30]) list(history, seconds * second, 0);
  expect(counters(history)).toEqual({ account: 30_000, total: 30_000, reported: 0, resets: 1 });
});
