import Database from 'better-sqlite3';
import { keepFewPages } from './database.ts';
import { unusable } from './history-error.ts';
import { openReader, sizeOf } from './reader.ts';
import { hasTable } from './schema-table.ts';

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
    database = openReader(file);
    keepFewPages(database);
    return hasTable(database, 'account') ? read(database) : undefined;
  } catch (cause) {
    throw cause instanceof Database.SqliteError ? unusable(file, cause) : cause;
  } finally {
    database?.close();
  }
}
