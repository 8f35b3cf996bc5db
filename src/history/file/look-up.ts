import Database from 'better-sqlite3';
import { keepFewPages } from './database.ts';
import { unusable } from './history-error.ts';
import { openReader, refuseOtherFormat, sizeOf } from './reader.ts';

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
    // A daemon may be about to make its tables.
    if (database.pragma('user_version', { simple: true }) === 0) return undefined;
    refuseOtherFormat(database, file);
    return read(database);
  } catch (cause) {
    throw cause instanceof Database.SqliteError ? unusable(file, cause) : cause;
  } finally {
    database?.close();
  }
}
