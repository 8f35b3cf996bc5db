import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { hideValues, planOnce } from '../../src/history/file/statement-plan.ts';

test.each([
  [
    'SELECT 1 FROM a WHERE b = @b AND c < ? ORDER BY d LIMIT ?2',
    'SELECT 1 FROM a WHERE b = +@b AND c < +? ORDER BY d LIMIT +?2',
  ],
  [
    "SELECT '@a', 'it''s ?', \"@b\" FROM a -- of @c?\nWHERE b = $b",
    "SELECT '@a', 'it''s ?', \"@b\" FROM a -- of @c?\nWHERE b = +$b",
  ],
  ["SELECT value ->> '$.at' FROM json_each(@rows)", "SELECT value ->> '$.at' FROM json_each(+@rows)"],
])('parameters of %s are told apart from texts and comments', (sql, hidden) => {
  expect(hideValues(sql)).toBe(hidden);
});

test('every kind of value is taken as it is', () => {
  const values = [1, 1.5, 'text', '7', null, 2n ** 62n, Buffer.from([0, 1])];
  const read = (database: Database.Database) => {
    database.exec('CREATE TABLE any_value (value ANY, number INTEGER) STRICT');
    const insert = database.prepare('INSERT INTO any_value VALUES (?, ?)');
    for (const value of values) insert.run(value, 7);
    const find = database
      .prepare('SELECT value, typeof(value), typeof(number) FROM any_value WHERE value IS ? AND number = ?')
      .safeIntegers();
    return values.map(value => find.get(value, '7'));
  };
  const found = read(planOnce(new Database(':memory:')));
  expect(found).not.toContain(undefined);
  expect(found).toEqual(read(new Database(':memory:')));
});

test('a statement is not planned again for each value', () => {
  const prepared = (database: Database.Database) => {
    database.exec('CREATE TABLE a (id INTEGER PRIMARY KEY); CREATE TABLE b (id INTEGER PRIMARY KEY)');
    return database.prepare<[number], unknown>(
      'SELECT 1 FROM a JOIN b USING (id) JOIN a AS c USING (id) JOIN b AS d USING (id) WHERE a.id = ?',
    );
  };
  const [usual, planned] = [prepared(new Database(':memory:')), prepared(planOnce(new Database(':memory:')))];
  const measure = (statement: typeof usual) => {
    const startedMs = performance.now();
    for (let id = 0; id < 5000; id += 1) statement.get(id);
    return performance.now() - startedMs;
  };
  const rounds = Array.from({ length: 5 }, () => [measure(usual), measure(planned)] as const);
  const fastest = (index: 0 | 1) => Math.min(...rounds.map(round => round[index]));
  expect(fastest(1) / fastest(0)).toBeLessThan(0.5);
});
