import { closeSync, existsSync, mkdirSync, openSync, realpathSync, statSync } from 'node:fs';
import { dirname } from 'node:path';
import Database from 'better-sqlite3';
import { findAlias, inodeOf } from './alias.ts';
import { applicationId, createSchema } from './format.ts';
import { describeCause, HistoryError, unusable } from './history-error.ts';
import { type HistoryLock, lockHistory, lockWhenFree, wasBrought } from './lock.ts';
import { Owner, type OwnerOptions, refuseTaking } from './owner.ts';
import { keepFewPages, planOnce, refuseOtherFormat } from './reader.ts';
import { statementsOf } from './statement.ts';

/** For another program's write lock on the file: nothing else is committed or published meanwhile. */
const longestWaitMs = 50;

export interface OpenDatabase {
  readonly database: Database.Database;
  /** By which the history says whose it is. */
  readonly ownerToken: string;
  /**
   * Writes in one transaction: all of it or nothing.
   *
   * @throws HistoryTakenOver when another daemon has the history now, HistoryError when the file was removed or replaced:
   *   what is written then is lost with the process. And what `work` throws.
   */
  transact<Result>(work: () => Result): Result;
  close(): void;
}

/**
 * Opens the history for writing: makes its folder, creates the file readable by its owner only, refuses a
 * second daemon, foreign files and files of another format.
 *
 * @param owner of a daemon; a command gives no signs of life.
 * @throws HistoryError saying what to do; the file is then as it was.
 */
export function openDatabase(file: string, owner: OwnerOptions = { beats: false }): OpenDatabase {
  const { path, isCopy } = makeFile(file);
  const lock = owner.takeover === 'held' ? lockWhenFree(path) : lockHistory(path, file);
  let database: Database.Database | undefined;
  try {
    database = planOnce(new Database(path, { timeout: longestWaitMs }));
    if (isEmpty(database)) {
      configure(database);
      createSchema(database);
    } else {
      refuseForeign(database, file);
      refuseTaking(database, owner);
      configure(database);
    }
    const owned = new Owner(database, owner);
    if (isCopy || owner.isCopy === true) Owner.markCopy(database);
    return handOver(database, path, owned, lock);
  } catch (cause) {
    database?.close();
    lock.release();
    throw cause instanceof HistoryError ? cause : unusable(file, cause);
  }
}

/** @param path without links. */
function handOver(database: Database.Database, path: string, owner: Owner, lock: HistoryLock): OpenDatabase {
  const inodes = [path, `${path}-wal`].map(each => [each, statSync(each).ino] as const);
  const isInPlace = () => inodes.every(([each, ino]) => inodeOf(each) === ino);
  return {
    database,
    ownerToken: owner.token,
    transact(work) {
      if (!isInPlace())
        throw new HistoryError('the file was removed or replaced while in use: start dbpm-exporter again');
      const write = database.transaction(() => {
        owner.assertStill();
        return work();
      });
      return write.immediate();
    },
    close() {
      try {
        // The log of a file that was removed or replaced is not that of the one in its place.
        if (isInPlace()) database.pragma('wal_checkpoint(TRUNCATE)');
      } catch {
        // A full disk: what was written stays in the write-ahead log, from which the next start goes on.
      } finally {
        database.close();
        lock.release();
      }
    },
  };
}

/**
 * @returns the path without links: their names would have locks of their own. A file that was brought from elsewhere is a
 *   copy.
 * @throws HistoryError when it cannot be made, or others may write it under another name.
 */
function makeFile(file: string): { readonly path: string; readonly isCopy: boolean } {
  let path = file;
  let isCopy = false;
  try {
    makeFolder(dirname(file));
    closeSync(openSync(file, 'a', 0o600));
    path = realpathSync(file);
    isCopy = wasBrought(path);
    closeSync(openSync(`${path}.lock`, 'a', 0o600));
  } catch (cause) {
    throw new HistoryError(
      `cannot create ${file} (${describeCause(cause)}): choose a folder this user may write to with history.file`,
      { cause },
    );
  }
  const alias = findAlias(path);
  if (alias !== undefined) throw new HistoryError(`${file} ${alias}`);
  return { path, isCopy };
}

/** One by one, as Node's `recursive` never comes back from a folder nothing can be made in, such as /proc. */
function makeFolder(folder: string): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  mkdirSync(folder, { mode: 0o700 });
}

function isEmpty(database: Database.Database): boolean {
  const marks = ['application_id', 'user_version'].map(each => database.pragma(each, { simple: true }));
  const tables = statementsOf(database).value<[], number>`SELECT count(*) FROM sqlite_schema`();
  return [...marks, tables].every(each => each === 0);
}

/** Looks before anything is written. */
function refuseForeign(database: Database.Database, file: string): void {
  if (database.pragma('application_id', { simple: true }) !== applicationId) {
    throw new HistoryError(`${file} is a database of another program: choose another file with history.file`);
  }
  refuseOtherFormat(database, file);
}

/** FULL: a counter that was scraped must not be lower after a power cut; one commit a reading affords it. */
function configure(database: Database.Database): void {
  database.pragma('journal_mode = WAL');
  database.pragma('synchronous = FULL');
  database.pragma('foreign_keys = ON');
  database.pragma('journal_size_limit = 67108864');
  // What may be taken back of one reading, a few megabytes: there may be no folder to be written but that of the history.
  database.pragma('temp_store = MEMORY');
  // A reading is written to many places.
  keepFewPages(database, 2);
}
