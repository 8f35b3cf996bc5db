import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { Upkeep } from '../../src/history/upkeep/upkeep.ts';
import { UsageRollUp } from '../../src/history/usage/usage-roll-up.ts';
import { LivedHistory } from '../support/lived-history.ts';

const day = 86_400;
const dayMs = day * 1000;
const hourMs = 3_600_000;
const begin = Date.UTC(2026, 9, 1) / 1000;
const pace = { listEverySeconds: 900, projectsEvery: 2 };
const times = { samples: 3 * dayMs, hours: 30 * dayMs, days: 90 * dayMs, operations: 4 * dayMs };

function openDatabase(life: LivedHistory): Database.Database {
  const database = new Database(life.folder.file);
  onTestFinished(() => {
    database.close();
  });
  return database;
}

function keepUp(database: Database.Database, now: number): void {
  const upkeep = new Upkeep(database, times);
  while (upkeep.step(now));
}

const rollUps = ['usage_hour', 'usage_day', 'compute_day'];

function readRollUps(database: Database.Database): readonly unknown[] {
  return rollUps.map(table => database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).raw().all());
}

test('nothing is rolled up beyond the confirmed clock, though the service says it is later', () => {
  using life = new LivedHistory({ now: begin, seed: 21, projects: 3, historyDays: 2 });
  life.watch(3 * day, pace);
  const database = openDatabase(life);
  const confirmedAt = life.now - dayMs;
  keepUp(database, confirmedAt);
  const rolled = database.prepare('SELECT max(rolled_until_hour) FROM project').pluck().get();
  expect(rolled).toBe(Math.floor(confirmedAt / hourMs));
});

test('a project that is still to be rolled up when the clock is set back is rolled up by the earlier one', () => {
  using life = new LivedHistory({ now: begin, seed: 21, projects: 3, historyDays: 2 });
  life.watch(3 * day, pace);
  const database = openDatabase(life);
  const rollUp = new UsageRollUp(database);
  const earlier = life.now - 5 * hourMs;
  rollUp.advance(life.now, 1);
  while (rollUp.advance(earlier, 1) > 0);
  const read = database.prepare('SELECT rolled_until_hour FROM project ORDER BY 1 DESC').pluck();
  const [first, ...others] = read.all() as number[];
  expect(first).toBeGreaterThan(earlier / hourMs);
  expect(others).toEqual([earlier / hourMs, earlier / hourMs]);
});

test('what was rolled up by a clock that was ahead is worked out anew once it was set back', () => {
  using life = new LivedHistory({ now: begin, seed: 22, projects: 3, historyDays: 2 });
  life.watch(2 * day, pace);
  const damaged = openDatabase(life);
  damaged.exec(`UPDATE project SET rolled_until_hour = ${(life.now + 200 * dayMs) / hourMs};
    INSERT INTO usage_hour SELECT project_ref, ${Math.floor((life.now + dayMs) / hourMs)}, 1 FROM project;
    INSERT INTO compute_day SELECT endpoint_ref, ${Math.floor((life.now + 9 * dayMs) / dayMs)}, 1, 1 FROM endpoint`);
  life.watch(2 * day, pace);
  keepUp(damaged, life.now);
  using other = new LivedHistory({ now: begin, seed: 22, projects: 3, historyDays: 2 });
  other.watch(2 * day, pace);
  other.watch(2 * day, pace);
  const sound = openDatabase(other);
  keepUp(sound, other.now);
  expect(readRollUps(damaged)).toEqual(readRollUps(sound));
});

test('rows are not said to be pruned of a time still to come, and what was read since the pruning is rolled up', () => {
  using life = new LivedHistory({ now: begin, seed: 23, projects: 3, historyDays: 2 });
  life.watch(2 * day, pace);
  const database = openDatabase(life);
  const prunedAt = life.now;
  new Upkeep(database, times).step(life.now + 500 * dayMs);
  while (new Upkeep(database, times).step(life.now + 500 * dayMs));
  life.watch(2 * day, pace);
  keepUp(database, life.now);
  const kept = database.prepare('SELECT max(kept_from_at) FROM retention').pluck().get();
  expect(kept).toBeLessThanOrEqual(life.now);
  const samplesKept = database
    .prepare("SELECT kept_from_at FROM retention WHERE kind = 'samples'")
    .pluck()
    .get();
  expect(samplesKept).toBeLessThanOrEqual(prunedAt + hourMs);
  expect(database.prepare('SELECT max(rolled_until_hour) FROM project').pluck().get()).toBeLessThanOrEqual(
    life.now / hourMs,
  );
  const since = database.prepare('SELECT count(*) FROM usage_hour WHERE hour > ?').pluck();
  expect(since.get(prunedAt / hourMs)).toBeGreaterThan(20);
});
