import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { resolveLinks } from './alias.ts';
import { DamagedHistory, describeCause, HistoryError } from './history-error.ts';
import { Owner } from './owner.ts';
import { findUnsound, openReader } from './reader.ts';
import { statementsOf } from './statement.ts';

interface BackupOptions {
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
    statementsOf(source).one`SELECT count(*) FROM sqlite_schema`();
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

/** How a daemon keeps backups of its history. */
export interface BackupPlan {
  readonly everyMs: number;
  /** How many of the newest backups are kept; 0 for none at all. */
  readonly keep: number;
  /** Empty where backups lie beside the history. */
  readonly directory: string;
}

/** A backup that a daemon made. */
export interface KeptBackup {
  readonly file: string;
  /** When it was begun, in epoch milliseconds by the host's clock. */
  readonly at: number;
}

/** A file beside a history that tells what it is and of when: `dbpm.sqlite.backup-20261122T092500Z`. */
export function nameBeside(path: string, word: 'backup' | 'damaged', at: number): string {
  return `${path}.${word}-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}`;
}

/** The path a backup of a history gets. */
export function nameBackup(history: string, directory: string, at: number): string {
  const path = resolveLinks(history);
  return nameBeside(directory === '' ? path : join(directory, basename(path)), 'backup', at);
}

const instantOfName = /\.backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The backups of a history that a daemon made, the newest first; none where the folder cannot be read. */
export function listBackups(history: string, directory: string): readonly KeptBackup[] {
  const path = resolveLinks(history);
  const folder = directory === '' ? dirname(path) : directory;
  return listNames(folder)
    .filter(name => name.startsWith(`${basename(path)}.backup-`))
    .map(name => ({
      file: join(folder, name),
      at: Date.parse(name.match(instantOfName)?.[0].replace(instantOfName, '$1-$2-$3T$4:$5:$6Z') ?? ''),
    }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((a, b) => b.at - a.at);
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes all backups but the newest `keep`. */
export function removeOldBackups(history: string, { directory, keep }: BackupPlan): void {
  for (const { file } of listBackups(history, directory).slice(keep)) rmSync(file, { force: true });
}
