import Database from 'better-sqlite3';
import { keepFewPages } from './database.ts';
import { unusable } from './history-error.ts';
import { openReader, refuseOtherFormat, sizeOf } from './reader.ts';

/**
 * Opens a history to be read, also while a daemon writes it, which is not disturbed; no file is left behind.
 *
 * @returns undefined where there is no history yet.
 * @throws HistoryError when it has the format of another version; SqliteError when it cannot be read.
 */
export function openHistory(file: string): Database.Database | undefined {
  if (sizeOf(file) === 0) return undefined;
  const database = openReader(file);
  try {
    keepFewPages(database);
    // A daemon may be about to make its tables.
    const isEmpty = database.pragma('user_version', { simple: true }) === 0;
    if (!isEmpty) {
      refuseOtherFormat(database, file);
      return database;
    }
    database.close();
    return undefined;
  } catch (cause) {
    database.close();
    throw cause;
  }
}

/**
 * Looks something up in a history.
 *
 * @returns undefined where there is no history yet.
 * @throws HistoryError when the file cannot be read as a history, and what `read` throws.
 */
export function lookUp<Found>(file: string, read: (database: Database.Database) => Found): Found | undefined {
  let database: Database.Database | undefined;
  try {
    database = openHistory(file);
    return database && read(database);
  } catch (cause) {
    throw cause instanceof Database.SqliteError ? unusable(file, cause) : cause;
  } finally {
    database?.close();
  }
}
