import Database from 'better-sqlite3';
import { expect, test, vi } from 'vitest';
import { statementsOf } from '../../src/history/file/statement.ts';
import { lookAtUsage } from '../../src/history/usage/usage-history.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { LivedHistory } from '../support/lived-history.ts';

function openNumbers(): Database.Database {
  const database = new Database(':memory:');
  database.exec('CREATE TABLE number (value INTEGER); INSERT INTO number VALUES (1), (2), (NULL)');
  return database;
}

test('a statement is a function of its parameters, with rows of the shape that is asked for', () => {
  const sql = statementsOf(openNumbers());
  expect(sql.all<[], unknown>`SELECT value FROM number`()).toEqual([
    { value: 1 },
    { value: 2 },
    { value: null },
  ]);
  expect(sql.one<[number], unknown>`SELECT value FROM number WHERE value = ?`(2)).toEqual({ value: 2 });
  expect(sql.one<[number], unknown>`SELECT value FROM number WHERE value = ?`(3)).toBeUndefined();
  expect(sql.tuples<[], unknown>`SELECT value, 7 FROM number WHERE value < ${2}`()).toEqual([[1, 7]]);
  expect(sql.values<[], unknown>`SELECT value FROM number`()).toEqual([1, 2, null]);
  expect(sql.value<[], unknown>`SELECT max(value) FROM number`()).toBe(2);
  expect(sql.value<[], unknown>`SELECT value FROM number WHERE value IS NULL`()).toBeUndefined();
  expect(sql.run<[number]>`DELETE FROM number WHERE value = ?`(1).changes).toBe(1);
});

test('rows one by one do not disturb other ones of the same statement', () => {
  const each = statementsOf(openNumbers()).each<[], { readonly value: number }>`SELECT value FROM number`;
  const found: string[] = [];
  for (const { value } of each()) for (const other of each()) found.push(`${value} ${other.value}`);
  expect(found).toHaveLength(9);
  expect(new Set(found).size).toBe(9);
});

test('a second look at use prepares nothing anew', () => {
  using life = new LivedHistory({
    now: Date.UTC(2026, 9, 20, 7, 13) / 1000,
    ...{ seed: 3, projects: 3, historyDays: 3, showcase: false },
  });
  life.watch(40_000, { listEverySeconds: 1800, projectsEvery: 2 });
  const database = new Database(life.folder.file, { readonly: true });
  const prepare = vi.spyOn(database, 'prepare');
  const look = () => {
    const { usage, endpoints, compareAwake } = lookAtUsage(database, ['main']);
    const steps = { fromAt: life.now - 9 * hourMs, stepMs: hourMs, count: 9 };
    compareAwake('main');
    return usage.projects.map(project => [
      ...usage.usedAtSteps(project.project_ref, steps),
      endpoints.endpoints(project, () => 0).length,
    ]);
  };
  const first = look();
  const prepared = prepare.mock.calls.length;
  expect(prepared).toBeGreaterThan(30);
  expect(look()).toEqual(first);
  const anew = prepare.mock.calls.slice(prepared).map(([text]) => text);
  expect(anew.filter(text => !text.includes('metered_project'))).toEqual([]);
  database.close();
});
