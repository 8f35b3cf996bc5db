import Database from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { retentionKinds } from '../../src/history/upkeep/retention.ts';
import { Upkeep } from '../../src/history/upkeep/upkeep.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { UsageRollUp } from '../../src/history/usage/usage-roll-up.ts';
import { viewOf } from '../support/history-folder.ts';
import { LivedHistory } from '../support/lived-history.ts';

const day = 86_400;
const dayMs = day * 1000;
const hourMs = 3_600_000;
const begin = Date.UTC(2026, 9, 1) / 1000;
const pace = { listEverySeconds: 900, projectsEvery: 2 };

const tables = ['cpu_sample', 'compute_interval', 'state_interval', 'usage_hour', 'usage_day', 'operation'];

function open(life: LivedHistory): Database.Database {
  const database = new Database(life.folder.file);
  onTestFinished(() => {
    database.close();
  });
  return database;
}

function countRows(database: Database.Database): Readonly<Record<string, number>> {
  const count = (table: string) => database.prepare(`SELECT count(*) FROM ${table}`).pluck().get() as number;
  return Object.fromEntries(tables.map(table => [table, count(table)]));
}

function totals(
  database: Database.Database,
  stepMs: number,
  untilAt: number,
): Readonly<Record<string, readonly number[]>> {
  const usage = new UsageQuery(database);
  const instants = Array.from(
    { length: Math.floor((untilAt - begin * 1000) / stepMs) },
    (_, index) => begin * 1000 + index * stepMs,
  );
  return Object.fromEntries(
    usage.projects.map(({ project_ref, project_id }) => [
      project_id,
      instants.map(at => usage.usedUntil(project_ref, at)),
    ]),
  );
}

test('rows that are too old go, and what they add up to stays: by hours, then by days', () => {
  using life = new LivedHistory({ now: begin, seed: 31, projects: 4, historyDays: 5 });
  life.watch(8 * day, pace);
  const database = open(life);
  const settledAt = life.now - dayMs;
  const byHour = totals(database, hourMs, settledAt);
  const byDay = totals(database, dayMs, settledAt);
  const before = countRows(database);
  const shown = viewOf(life.history, life.now);
  const keepUp = (times: Readonly<Record<(typeof retentionKinds)[number], number>>) => {
    const upkeep = new Upkeep(database, times);
    while (upkeep.step(life.now));
  };

  keepUp({ samples: 3 * dayMs, hours: 30 * dayMs, days: 90 * dayMs, operations: 4 * dayMs });
  const after = countRows(database);
  expect(after.cpu_sample).toBeLessThan((before.cpu_sample ?? 0) / 2);
  expect(after.compute_interval).toBeLessThan((before.compute_interval ?? 0) / 2);
  expect(after.operation).toBeLessThan((before.operation ?? 0) / 2);
  expect(totals(database, hourMs, settledAt)).toEqual(byHour);

  keepUp({ samples: 2 * dayMs, hours: 4 * dayMs, days: 90 * dayMs, operations: 4 * dayMs });
  expect(countRows(database).usage_hour).toBeLessThan(after.usage_hour ?? 0);
  expect(totals(database, dayMs, settledAt)).toEqual(byDay);

  life.restart();
  expect(viewOf(life.history, life.now)).toEqual(shown);
});

test('of a setting that changed long ago the value in force when samples begin stays, and the others go', () => {
  using life = new LivedHistory({ now: begin, seed: 33, projects: 1, historyDays: 5 });
  life.watch(6 * day, pace);
  const database = open(life);
  const endpoint_ref = database.prepare('SELECT min(endpoint_ref) FROM endpoint').pluck().get();
  const put = database.prepare('INSERT INTO endpoint_change VALUES (?, ?, ?, ?)');
  const horizonAt = Math.floor(life.now / dayMs - 2) * dayMs;
  for (const days of [3, 2, 1, -1]) put.run(endpoint_ref, 'a', horizonAt - days * dayMs, days);
  put.run(endpoint_ref, 'b', horizonAt - 3 * dayMs, 7);
  const upkeep = new Upkeep(database, {
    ...{ samples: 2 * dayMs, hours: 30 * dayMs, days: 90 * dayMs, operations: 30 * dayMs },
  });
  while (upkeep.step(life.now));
  const rows = database
    .prepare("SELECT field, value FROM endpoint_change WHERE endpoint_ref = ? AND field IN ('a', 'b')")
    .raw()
    .all(endpoint_ref);
  expect(rows).toEqual([
    ['a', 1],
    ['a', -1],
    ['b', 7],
  ]);
});

test('of an hour that is only known by its day, what was used before an instant lies between both ends', () => {
  using life = new LivedHistory({ now: begin, seed: 32, projects: 2, historyDays: 5 });
  life.watch(6 * day, pace);
  const database = open(life);
  const upkeep = new Upkeep(database, {
    samples: 2 * dayMs,
    hours: 2 * dayMs,
    days: 90 * dayMs,
    operations: dayMs,
  });
  while (upkeep.step(life.now));
  for (const series of Object.values(totals(database, hourMs / 2, life.now))) {
    expect(series).toEqual(series.toSorted((a, b) => a - b));
  }
});

test('what is known of an account reaches back as far when the readings of long ago are gone', () => {
  using life = new LivedHistory({ now: begin, seed: 31, projects: 4, historyDays: 9 });
  life.watch(day, pace);
  const database = open(life);
  const knownFrom = () => new UsageQuery(database).knownFrom('main');
  const before = knownFrom();
  const upkeep = new Upkeep(database, {
    samples: 2 * dayMs,
    hours: 30 * dayMs,
    days: 90 * dayMs,
    operations: 4 * dayMs,
  });
  while (upkeep.step(life.now));
  expect(knownFrom()).toBe(before);
});

test('the file grows no further once as much goes as comes', () => {
  using life = new LivedHistory({ now: begin, seed: 33, projects: 6, historyDays: 1 });
  const database = open(life);
  const times = { samples: 2 * dayMs, hours: 2 * dayMs, days: 3 * dayMs, operations: 2 * dayMs };
  const pages = Array.from({ length: 8 }, () => {
    life.watch(day, pace);
    const upkeep = new Upkeep(database, times);
    while (upkeep.step(life.now));
    return Number(database.pragma('page_count', { simple: true }));
  });
  // Without it the last four days would take as much as the first four.
  const [, , , fourth = 0] = pages;
  expect(pages.at(-1)).toBeLessThan(fourth * 1.15);
});

/** How long rows are kept. */
const times = { samples: 3 * dayMs, hours: 30 * dayMs, days: 90 * dayMs, operations: 4 * dayMs };

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
  const database = open(life);
  const confirmedAt = life.now - dayMs;
  keepUp(database, confirmedAt);
  const rolled = database.prepare('SELECT max(rolled_until_hour) FROM project').pluck().get();
  expect(rolled).toBe(Math.floor(confirmedAt / hourMs));
});

test('a project that is still to be rolled up when the clock is set back is rolled up by the earlier one', () => {
  using life = new LivedHistory({ now: begin, seed: 21, projects: 3, historyDays: 2 });
  life.watch(3 * day, pace);
  const database = open(life);
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
  const damaged = open(life);
  damaged.exec(`UPDATE project SET rolled_until_hour = ${(life.now + 200 * dayMs) / hourMs};
    INSERT INTO usage_hour SELECT project_ref, ${Math.floor((life.now + dayMs) / hourMs)}, 1 FROM project;
    INSERT INTO compute_day SELECT endpoint_ref, ${Math.floor((life.now + 9 * dayMs) / dayMs)}, 1, 1 FROM endpoint`);
  life.watch(2 * day, pace);
  keepUp(damaged, life.now);
  using other = new LivedHistory({ now: begin, seed: 22, projects: 3, historyDays: 2 });
  other.watch(2 * day, pace);
  other.watch(2 * day, pace);
  const sound = open(other);
  keepUp(sound, other.now);
  expect(readRollUps(damaged)).toEqual(readRollUps(sound));
});

test('rows are not said to be pruned of a time still to come, and what was read since the pruning is rolled up', () => {
  using life = new LivedHistory({ now: begin, seed: 23, projects: 3, historyDays: 2 });
  life.watch(2 * day, pace);
  const database = open(life);
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
