import { chmodSync, closeSync, existsSync, openSync, realpathSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { DamagedHistory, describeCause, HistoryError } from './history-error.ts';
import { Owner } from './owner.ts';
import { findUnsound, openReader } from './reader.ts';

export interface BackupOptions {
  readonly from: string;
  readonly to: string;
  readonly onProgress?: (progress: { readonly totalPages: number; readonly remainingPages: number }) => void;
}

const pagesAtATime = 1000;

/**
 * Copies a history file, also one a daemon is writing to, as it was at one moment.
 *
 * @returns the size of the copy in bytes.
 * @throws HistoryError saying what to do.
 */
export async function backupHistory({ from, to, onProgress }: BackupOptions): Promise<number> {
  if (!existsSync(from))
    throw new HistoryError(`there is no history at ${from}: name it with --history.file`);
  if (existsSync(to) && realpathSync(to) === realpathSync(from))
    throw new HistoryError(`${to} is the history itself: name another file for the copy`);
  const source = openReader(from);
  try {
    // An open read keeps the source as it was at this moment; without it every write starts the copy again.
    source.exec('BEGIN');
    source.prepare('SELECT count(*) FROM sqlite_schema').get();
    closeSync(openSync(to, 'a', 0o600));
    await source.backup(to, {
      progress(progress) {
        onProgress?.(progress);
        return pagesAtATime;
      },
    });
  } catch (cause) {
    throw new HistoryError(
      `${from} could not be copied to ${to} (${describeCause(cause)}): check both files' rights and the disk's space`,
      {
        cause,
      },
    );
  } finally {
    source.close();
  }
  chmodSync(to, 0o600);
  checkCopy(to);
  return statSync(to).size;
}

/** Opened for writing, as it is marked as a copy, and only such a connection takes its log files with it when it closes. */
function checkCopy(file: string): void {
  const copy = new Database(file);
  try {
    const flaw = findUnsound(copy);
    if (flaw !== undefined) throw new DamagedHistory(`the copy ${file} is damaged (${flaw}): copy again`);
    Owner.markCopy(copy);
  } finally {
    copy.close();
  }
}
