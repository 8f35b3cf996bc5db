import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { unusable } from './database.ts';

/**
 * Looks something up in a history, also while a daemon writes it, which is not disturbed, and no file is left behind.
 *
 * @returns undefined where there is no history yet.
 * @throws HistoryError when the file cannot be read as a history, and what `read` throws.
 */
export function lookUp<Found>(file: string, read: (database: Database.Database) => Found): Found | undefined {
  if (sizeOf(file) === 0) return undefined;
  let database: Database.Database | undefined;
  try {
    database = open(file);
    const isEmpty =
      database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'account'").get() === undefined;
    return isEmpty ? undefined : read(database);
  } catch (cause) {
    throw cause instanceof Database.SqliteError ? unusable(file, cause) : cause;
  } finally {
    database?.close();
  }
}

/**
 * What is still in a write-ahead log is left there. Without one the connection may write, as only such a connection
 * takes the empty log it needs away again.
 */
function open(file: string): Database.Database {
  const database = new Database(file, { readonly: sizeOf(`${file}-wal`) > 0, fileMustExist: true });
  database.pragma('query_only = ON');
  return database;
}

function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
