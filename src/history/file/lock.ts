import { existsSync } from 'node:fs';
import Database from 'better-sqlite3';
import { describeCause, HistoryError, HistoryInUse } from './history-error.ts';
import { sizeOf } from './reader.ts';

/** A history that is held for one daemon. */
export interface HistoryLock {
  release(): void;
}

/** A lock that a process let go is taken before a standby sees that it is free. */
const retryMs = 100;

/**
 * Holds a history file for one daemon: a write transaction on the file `<file>.lock` that never ends.
 * The operating system releases it with the process, however that dies, so no stale lock is possible.
 *
 * @param path of the history, without links.
 * @param file as the history is called in messages.
 * @throws HistoryInUse when another daemon holds it, HistoryError when the lock file is something else.
 */
export function lockHistory(path: string, file: string): HistoryLock {
  const lock = openLock(path);
  try {
    take(lock);
  } catch (cause) {
    lock.close();
    if (isBusy(cause)) {
      throw new HistoryInUse(
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

/**
 * Holds a history whose lock is with a process that is stopped: now if that is possible, or else as soon as that
 * process is gone.
 *
 * @param path of the history, without links.
 */
export function lockWhenFree(path: string): HistoryLock {
  const lock = openLock(path);
  const isTaken = () => {
    try {
      take(lock);
      return true;
    } catch {
      return false;
    }
  };
  const retry = setInterval(() => {
    if (isTaken()) clearInterval(retry);
  }, retryMs).unref();
  if (isTaken()) clearInterval(retry);
  return {
    release() {
      clearInterval(retry);
      lock.close();
    },
  };
}

/**
 * Whether a daemon holds a history now; what cannot be found out counts as held.
 *
 * @param path of the history, without links.
 */
export function isLocked(path: string): boolean {
  if (!existsSync(`${path}.lock`)) return false;
  try {
    const lock = openLock(path);
    try {
      take(lock);
      return false;
    } finally {
      lock.close();
    }
  } catch {
    return true;
  }
}

function openLock(path: string): Database.Database {
  return new Database(`${path}.lock`, { timeout: 0 });
}

function take(lock: Database.Database): void {
  // Nothing is ever written, so a journal beside the lock would only be one more file to wonder about.
  lock.pragma('journal_mode = MEMORY');
  lock.exec('BEGIN IMMEDIATE');
}

function isBusy(error: unknown): boolean {
  return error instanceof Database.SqliteError && error.code.startsWith('SQLITE_BUSY');
}

/**
 * Whether a history was brought from elsewhere: it has content, and no lock file beside it as each daemon leaves one.
 *
 * @param path of the history, without links.
 */
export function wasBrought(path: string): boolean {
  return sizeOf(path) > 0 && !existsSync(`${path}.lock`);
}
