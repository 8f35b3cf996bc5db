import type { Database } from 'better-sqlite3';

/** Whether a history has a table; one of an earlier version lacks those that came later. */
export function hasTable(database: Database, name: string): boolean {
  const query = "SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = ?";
  return database.prepare<[string]>(query).get(name) !== undefined;
}
