import Database from 'better-sqlite3';
import { describeCause, HistoryError } from './history-error.ts';

/**
 * Holds a history file for one daemon: a write transaction on the file `<file>.lock` that never ends.
 * The operating system releases it with the process, however that dies, so no stale lock is possible.
 *
 * @param path of the history, without links.
 * @param file as the history is called in messages.
 * @throws HistoryError when another daemon holds it, or the lock file is something else.
 */
export function lockHistory(path: string, file: string): { release(): void } {
  const lock = new Database(`${path}.lock`, { timeout: 0 });
  try {
    // Nothing is ever written, so a journal beside the lock would only be one more file to wonder about.
    lock.pragma('journal_mode = MEMORY');
    lock.exec('BEGIN IMMEDIATE');
  } catch (cause) {
    lock.close();
    if (isBusy(cause)) {
      throw new HistoryError(
        `${file} is in use by another dbpm-exporter: stop that one, or give this one a history file of its own`,
      );
    }
    throw new HistoryError(
      `${path}.lock cannot be used as a lock (${describeCause(cause)}): remove it or choose another file with history.file`,
      { cause },
    );
  }
  return { release: () => lock.close() };
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}
