import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, onTestFinished, test } from 'vitest';
import { readReportHistories } from '../../src/history/merge/report-reading.ts';
import { hourTotalsOf } from '../../src/history/usage/roll-up-query.ts';
import { SampleInterpolation } from '../../src/history/usage/sample-interpolation.ts';
import { UsageQuery } from '../../src/history/usage/usage-query.ts';
import { UsageRollUp } from '../../src/history/usage/usage-roll-up.ts';
import { liveProjects } from '../../src/simulator/model/account.ts';
import { setCpuUsed } from '../../src/simulator/model/endpoint.ts';
import { LivedHistory } from '../support/lived-history.ts';
import { runs } from '../support/seed.ts';

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
  const samples = new SampleInterpolation(database);
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
  rollUp.takeBack(0);
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
  const samples = new SampleInterpolation(database);
  const rolled = database
    .prepare<[], { hour: number; total: number }>('SELECT hour, total FROM usage_hour')
    .all();
  expect(rolled.length).toBeGreaterThan(3);
  expect(rolled.map(({ total }) => total)).toEqual(
    rolled.map(({ hour }) => samples.usedUntil(1, (hour + 1) * hourMs)),
  );
});

test('what the roll-ups say of hours and many midnights at once is what single readings say', () => {
  using life = new LivedHistory({ now: begin, seed: 4, projects: 4, historyDays: 3 });
  for (let day = 0; day < 6; day += 1) {
    life.watch(20 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
    while (life.history.upkeep(life.now));
    life.miss(4 * 3600);
  }
  const firstDay = begin / day - 4;
  const midnights = Array.from({ length: 12 }, (_, index) => (firstDay + index) * day * 1000);
  let known = 0;
  const database = new Database(life.folder.file, { readonly: true });
  onTestFinished(() => void database.close());
  const samples = new SampleInterpolation(database);
  const totals = new Float64Array(12);
  readReportHistories(
    [life.folder.file],
    accounts => accounts,
    ({ usage, activity, rollUps: query }) => {
      for (const { project_ref } of usage.projects) {
        for (const [index, total] of query.used(project_ref, firstDay, 12, totals).entries()) {
          if (Number.isNaN(total)) continue;
          expect(total).toBe(usage.usedUntil(project_ref, midnights[index] ?? 0));
          known += 1;
        }
        for (let hour = 24 * firstDay; hour < 24 * (firstDay + 10); hour += 5) {
          const at = hour * hourMs;
          expect(usage.usedUntil(project_ref, at)).toBe(samples.usedUntil(project_ref, at));
          known += 1;
        }
        for (const { endpoint_ref } of activity.endpoints(project_ref)) {
          for (const [index, total] of query.compute(endpoint_ref, firstDay, 12, totals).entries()) {
            if (Number.isNaN(total)) continue;
            const { lower, upper } = activity.computeUntil(endpoint_ref, midnights[index] ?? 0);
            expect(total).toBeCloseTo((lower + upper) / 2, 3);
            known += 1;
          }
        }
      }
    },
  );
  expect(known).toBeGreaterThan(150);
});

const hours = 40;

/** Roll-ups that have a row for an hour in which something was used, as the history has them; numbers of projects leave gaps. */
function openRollUps(uses: readonly (readonly number[])[]) {
  const database = new Database(':memory:');
  database.exec(
    `CREATE TABLE project (project_ref INTEGER PRIMARY KEY);
     CREATE TABLE usage_hour (project_ref INTEGER, hour INTEGER, total INTEGER, PRIMARY KEY (project_ref, hour)) WITHOUT ROWID`,
  );
  const addProject = database.prepare('INSERT INTO project VALUES (?)');
  const addHour = database.prepare('INSERT INTO usage_hour VALUES (?, ?, ?)');
  for (const [index, used] of uses.entries()) {
    const project_ref = 1 + index * 3;
    addProject.run(project_ref);
    let total = 0;
    for (const [hour, use] of used.entries()) {
      total += use;
      if (use > 0) addHour.run(project_ref, hour, total);
    }
  }
  return database;
}

const totalBefore = (used: readonly number[], hour: number) =>
  used.slice(0, hour).reduce((sum, use) => sum + use, 0);

test('totals are those of the rows before an hour, in whatever order projects and hours are asked for', () => {
  const use = fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(3_600_000));
  const fleet = fc.array(fc.array(use, { maxLength: hours }), { minLength: 1, maxLength: 60 });
  const asked = fc.array(fc.tuple(fc.nat(59), fc.nat(hours)), { minLength: 400, maxLength: 400 });
  fc.assert(
    fc.property(fleet, asked, fc.integer({ min: 1, max: 40 }), (uses, questions, few) => {
      const database = openRollUps(uses);
      const usedBefore = hourTotalsOf(database);
      for (const [place, hour] of questions) {
        const index = place % uses.length;
        // Few hours are asked for often, and many hours each once.
        const at = hour % few;
        expect(usedBefore(1 + index * 3, at)).toBe(totalBefore(uses[index] ?? [], at));
      }
      database.close();
    }),
    { numRuns: runs(20) },
  );
});

test('an hour that most projects are asked for is read for all of them together', () => {
  const projects = 400;
  const database = openRollUps(Array.from({ length: projects }, (_, index) => [index, 1]));
  const usedBefore = hourTotalsOf(database);
  const askAll = () => Array.from({ length: projects }, (_, index) => usedBefore(1 + index * 3, 1));
  const told = askAll();
  // What was read is not read again: the rows are gone.
  database.exec('DELETE FROM usage_hour');
  expect(askAll()).toStrictEqual(told);
  expect(usedBefore(1 + 60 * 3, 2)).toBe(0);
  database.close();
});
