import Database from 'better-sqlite3';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { HourTotalQuery } from '../../src/history/usage/hour-total-query.ts';

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
      const query = new HourTotalQuery(database);
      for (const [place, hour] of questions) {
        const index = place % uses.length;
        // Few hours are asked for often, and many hours each once.
        const at = hour % few;
        expect(query.before(1 + index * 3, at)).toBe(totalBefore(uses[index] ?? [], at));
      }
      database.close();
    }),
    { numRuns: 60 },
  );
});

test('an hour that most projects are asked for is read for all of them together', () => {
  const projects = 400;
  const database = openRollUps(Array.from({ length: projects }, (_, index) => [index, 1]));
  const query = new HourTotalQuery(database);
  const askAll = () => Array.from({ length: projects }, (_, index) => query.before(1 + index * 3, 1));
  const told = askAll();
  // What was read is not read again: the rows are gone.
  database.exec('DELETE FROM usage_hour');
  expect(askAll()).toStrictEqual(told);
  expect(query.before(1 + 60 * 3, 2)).toBe(0);
  database.close();
});
