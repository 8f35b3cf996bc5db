import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { liveProjects } from '../../src/simulator/model/account.ts';
import { laterTermsOf } from '../../src/simulator/server.ts';
import { LivedHistory } from '../support/lived-history.ts';

function compareAwake(life: LivedHistory) {
  const reader = new UsageReader(life.folder.file, ['main']);
  try {
    return reader.look().compareAwake('main');
  } finally {
    reader.close();
  }
}

test('over days with a new period in them no project of a fleet drifts, and each does whose awake time is said wrongly', () => {
  using life = new LivedHistory({
    now: Date.UTC(2026, 9, 28) / 1000,
    seed: 5,
    projects: 8,
    historyDays: 3,
    later: laterTermsOf({}),
  });
  const found = [];
  for (let day = 0; day < 8; day += 1) {
    life.watch(86_400, { listEverySeconds: 1200, projectsEvery: 2 });
    if (day % 3 === 2) life.restart();
    found.push(compareAwake(life));
  }
  expect(found).toEqual([[], [], [], [], [], [], [], []]);
  const history = new Database(life.folder.file);
  history.exec('UPDATE active_window SET active_sec = active_sec + 20 * 3600');
  history.close();
  expect(compareAwake(life)).toHaveLength(liveProjects(life.account).length);
});
