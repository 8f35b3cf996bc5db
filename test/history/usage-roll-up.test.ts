import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { ComputeQuery } from '../../src/history/usage/compute-query.ts';
import { SampleSpread } from '../../src/history/usage/sample-spread.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { UsageRollUp } from '../../src/history/usage/usage-roll-up.ts';
import { liveProjects } from '../../src/simulator/model/account.ts';
import { setCpuUsed } from '../../src/simulator/model/cpu-usage.ts';
import { LivedHistory } from '../support/lived-history.ts';

const day = 86_400;
const hourMs = 3_600_000;
const begin = Date.UTC(2026, 9, 1) / 1000;

function rows(database: Database.Database, table: 'usage_hour' | 'usage_day' | 'compute_day') {
  return database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().all();
}

test('hours and days are those of the raw rows, however often and late they are rolled up, and rebuilt alike', () => {
  using life = new LivedHistory({ now: begin, seed: 21, projects: 4, historyDays: 10 });
  const database = new Database(life.folder.file);
  onTestFinished(() => {
    database.close();
  });
  const rollUp = new UsageRollUp(database);
  life.readLists();
  rollUp.advance(life.now, 100);
  for (let turn = 0; turn < 12; turn += 1) {
    life.watch(7 * 3600 + 11 * turn, { listEverySeconds: 900, projectsEvery: 2 });
    rollUp.advance(life.now, 100);
    life.miss(turn % 3 === 0 ? day : 60);
  }
  life.watch(3600, { listEverySeconds: 900, projectsEvery: 2 });
  rollUp.advance(life.now, 100);

  const usage = new UsageQuery(database);
  const samples = new SampleSpread(database, new ComputeQuery(database));
  let compared = 0;
  for (const { project_ref } of usage.projects) {
    const rolled = database
      .prepare<[number], { hour: number; total: number }>(
        'SELECT hour, total FROM usage_hour WHERE project_ref = ?',
      )
      .all(project_ref);
    for (const { hour, total } of rolled) {
      expect(total).toBe(samples.usedUntil(project_ref, (hour + 1) * hourMs));
      compared += 1;
    }
  }
  expect(compared).toBeGreaterThan(500);

  const before = { hours: rows(database, 'usage_hour'), days: rows(database, 'usage_day') };
  const compute = rows(database, 'compute_day');
  rollUp.reset();
  expect(rows(database, 'usage_hour')).toEqual([]);
  while (rollUp.advance(life.now, 2) > 0);
  expect({ hours: rows(database, 'usage_hour'), days: rows(database, 'usage_day') }).toEqual(before);
  expect(rows(database, 'compute_day')).toEqual(compute);
});

test('hours written before the endpoints were known are written anew by when these were awake', () => {
  using life = new LivedHistory({ now: begin, seed: 22, projects: 1, historyDays: 10 });
  for (const project of liveProjects(life.account)) setCpuUsed(project, 60);
  const database = new Database(life.folder.file);
  onTestFinished(() => {
    database.close();
  });
  const rollUp = new UsageRollUp(database);
  life.readLists();
  life.miss(2 * day);
  life.readLists();
  expect(rollUp.advance(life.now, 10)).toBe(1);
  life.watch(7200, { listEverySeconds: 900, projectsEvery: 2 });
  expect(rollUp.advance(life.now, 10)).toBe(1);
  const samples = new SampleSpread(database, new ComputeQuery(database));
  const rolled = database
    .prepare<[], { hour: number; total: number }>('SELECT hour, total FROM usage_hour')
    .all();
  expect(rolled.length).toBeGreaterThan(3);
  expect(rolled.map(({ total }) => total)).toEqual(
    rolled.map(({ hour }) => samples.usedUntil(1, (hour + 1) * hourMs)),
  );
});
