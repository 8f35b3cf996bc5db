import { chmodSync, constants, copyFileSync, existsSync, mkdtempSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { resolveLinks } from './alias.ts';
import { isAllowed } from './file-access.ts';
import { refuseVersion } from './format.ts';
import { describeCause, HistoryError } from './history-error.ts';
import { planOnce } from './statement-plan.ts';

/**
 * Opens a history to be read, also while a daemon writes it, which is not disturbed; no file is left behind.
 *
 * Rows still in a write-ahead log are left there. Without a log the connection may write, as only such a connection
 * takes the empty log it needs away again. Who may not write there reads beside a daemon, or else a copy.
 */
export function openReader(file: string): Database.Database {
  const path = resolveLinks(file);
  const database = planOnce(open(path));
  database.pragma('query_only = ON');
  return database;
}

function open(path: string): Database.Database {
  const isMine = [path, dirname(path)].every(each => isAllowed(each, constants.W_OK));
  // A writer has this file open, and a mere reader must not make it: it would be in the writer's way.
  const isOpen = existsSync(`${path}-shm`);
  if (!isMine && !isOpen) return openCopy(path);
  return new Database(path, { readonly: !isMine || sizeOf(`${path}-wal`) > 0, fileMustExist: true });
}

/**
 * A copy that has no name once it is open, so that it goes with the connection.
 *
 * @throws HistoryError when it cannot be made.
 */
function openCopy(path: string): Database.Database {
  const folder = mkdtempSync(join(tmpdir(), 'dbpm-exporter-'));
  try {
    const database = new Database(copyInto(folder, path));
    // Opens its log, too.
    database.prepare('SELECT count(*) FROM sqlite_schema').get();
    return database;
  } catch (cause) {
    if (cause instanceof Database.SqliteError) throw cause;
    throw new HistoryError(
      `${path} may not be written here, and no copy to be read could be made in ${tmpdir()} (${describeCause(cause)}): make room there, or name another folder in TMPDIR`,
      { cause },
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Copies a history with its log into a folder. @returns the path of the copy. */
export function copyInto(folder: string, path: string): string {
  const copy = join(folder, 'copy.sqlite');
  for (const suffix of ['', '-wal']) {
    if (existsSync(path + suffix)) copyFileSync(path + suffix, copy + suffix);
  }
  chmodSync(copy, 0o600);
  return copy;
}

/** What SQLite finds wrong in a file at a quick look at all of it, on one line; undefined where it is sound. */
export function findUnsound(database: Database.Database): string | undefined {
  const found = String(database.pragma('quick_check(1)', { simple: true }));
  return found === 'ok' ? undefined : found.replace(/\s+/g, ' ');
}

/** @throws HistoryError when the history has the format of another version. */
export function refuseOtherFormat(database: Database.Database, file: string): void {
  const clause = refuseVersion(Number(database.pragma('user_version', { simple: true })));
  if (clause !== undefined) throw new HistoryError(`${file} ${clause}`);
}

/** 0 where there is no file. */
export function sizeOf(path: string): number {
  return statSync(path, { throwIfNoEntry: false })?.size ?? 0;
}
