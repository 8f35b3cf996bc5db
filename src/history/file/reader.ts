import {
  accessSync,
  chmodSync,
  constants,
  copyFileSync,
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { resolveLinks } from './alias.ts';
import { refuseVersion } from './format.ts';
import { describeCause, HistoryError, unusable } from './history-error.ts';
import { statementsOf } from './statement.ts';

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
    statementsOf(database).one`SELECT count(*) FROM sqlite_schema`();
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

/** Whether this user may use a path so: `constants.R_OK` and the like. */
export function isAllowed(path: string, mode: number): boolean {
  try {
    accessSync(path, mode);
    return true;
  } catch {
    return false;
  }
}

/** Bytes on disk, the write-ahead log included; 0 where there is no history. */
export function historySizeBytes(file: string): number {
  const path = resolveLinks(file);
  return ['', '-wal', '-shm'].reduce((sum, suffix) => sum + sizeOf(path + suffix), 0);
}

/** Texts and comments, which stay, and parameters. */
const token = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|[@:$][A-Za-z_]\w*|\?\d*/g;

/**
 * Has each statement of a connection planned once. SQLite looks at values of parameters when it plans, and plans anew
 * whenever one of those is bound, which takes ten times as long as most statements themselves: by values it could only choose
 * with statistics, and there are none.
 */
export function planOnce<Opened extends Database.Database>(database: Opened): Opened {
  const prepare = database.prepare.bind(database);
  return Object.defineProperty(database, 'prepare', { value: (sql: string) => prepare(hideValues(sql)) });
}

/** With a plus before each parameter: that changes no value, and the planner looks no further. */
export function hideValues(sql: string): string {
  return sql.replaceAll(token, found => (/^['"-]/.test(found) ? found : `+${found}`));
}

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
    if (database.pragma('user_version', { simple: true }) === 0) {
      database.close();
      return undefined;
    }
    refuseOtherFormat(database, file);
    return database;
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

/** Lets a connection keep half a MiB of pages of its own, and not 16 as is usual: the system keeps them as well. */
export function keepFewPages(database: Database.Database, mebibytes = 0.5): void {
  database.pragma(`cache_size = ${-1024 * mebibytes}`);
}
