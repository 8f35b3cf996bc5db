import { statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { resolveLinks } from './alias.ts';
import { newestVersion } from './format.ts';
import { HistoryError } from './history-error.ts';

/**
 * Opens a history to be read, also while a daemon writes it, which is not disturbed; no file is left behind.
 *
 * Rows still in a write-ahead log are left there. Without a log the connection may write, as only such a connection
 * takes the empty log it needs away again.
 */
export function openReader(file: string): Database.Database {
  const path = resolveLinks(file);
  const database = new Database(path, { readonly: sizeOf(`${path}-wal`) > 0, fileMustExist: true });
  database.pragma('query_only = ON');
  return database;
}

/** @throws HistoryError when the history has the format of another version: only the daemon brings it up to date. */
export function refuseOtherFormat(database: Database.Database, file: string): void {
  const version = Number(database.pragma('user_version', { simple: true }));
  if (version === newestVersion) return;
  throw new HistoryError(
    version < newestVersion
      ? `${file} was last written by an older dbpm-exporter: start the daemon on it once, then try again`
      : `${file} was written by a newer dbpm-exporter: use that version`,
  );
}

/** 0 where there is no file. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
