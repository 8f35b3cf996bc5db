import Database from 'better-sqlite3';
import { expect } from 'vitest';

/** Rows by table that are in one of two histories alone; who has a history, and since when, is no part of it. */
export function findDifferences(file: string, other: string) {
  const database = new Database(file);
  try {
    database.prepare('ATTACH ? AS other').run(other);
    const tables = database
      .prepare<[], string>("SELECT name FROM sqlite_schema WHERE type = 'table' AND name <> 'owner'")
      .pluck()
      .all();
    expect(tables.length).toBeGreaterThan(20);
    return tables.flatMap(table => {
      const rows = (one: string, two: string) =>
        database.prepare(`SELECT * FROM ${one}.${table} EXCEPT SELECT * FROM ${two}.${table}`).all();
      const found = [...rows('main', 'other'), ...rows('other', 'main')];
      return found.length === 0 ? [] : [[table, found.length, found.slice(0, 3)]];
    });
  } finally {
    database.close();
  }
}
