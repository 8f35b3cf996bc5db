import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { hideValues, planOnce } from '../../src/history/file/reader.ts';

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

test('a statement is not planned again for each value: the planner looks at none of them', () => {
  const plansOf = (database: Database.Database) => {
    database.exec(`CREATE TABLE a (x, y); CREATE INDEX by_x ON a (x); CREATE INDEX by_y ON a (y);
      WITH RECURSIVE n (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO a SELECT iif(i < 1990, 'often', 'once ' || i), i % 50 FROM n;
      ANALYZE`);
    const plan = database.prepare<[string], { readonly detail: string }>(
      'EXPLAIN QUERY PLAN SELECT * FROM a WHERE x = ? AND y = 7',
    );
    return ['often', 'once 1995', 'often'].map(value =>
      plan
        .all(value)
        .map(({ detail }) => detail)
        .join(),
    );
  };
  const [usual, planned] = [plansOf(new Database(':memory:')), plansOf(planOnce(new Database(':memory:')))];
  // With what is counted of the table SQLite would plan each of them as suits its value.
  expect(new Set(usual).size).toBe(2);
  expect(new Set(planned).size).toBe(1);
});
