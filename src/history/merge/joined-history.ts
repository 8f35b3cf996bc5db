import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { resolveLinks } from '../file/alias.ts';
import { createSchema } from '../file/format.ts';
import { describeCause, HistoryError, unusable } from '../file/history-error.ts';
import { copyInto, openHistory, planOnce } from '../file/reader.ts';
import { statementsOf } from '../file/statement.ts';
import { writeSources } from '../history-source.ts';
import { JoinedAccounts } from './joined-account.ts';
import { type JoinedPart, listJoinedProjects } from './joined-project.ts';
import { projectJoiner } from './moved-project.ts';
import { copyRows, listMetered, offsetRows, type RowNumber } from './row-copy.ts';

/**
 * Joins several histories, which daemons may be writing, into one of its own: an account that is split over them is whole, and a
 * project that was moved from one to another is one project. Nothing is written to them.
 *
 * @returns the joined history, whose file goes with the connection; undefined where none of them is there yet.
 * @throws HistoryError when one of them cannot be read, or there is no room for all of them.
 */
export function openJoined(files: readonly string[]): Database.Database | undefined {
  const folder = makeFolder();
  let joined: Database.Database | undefined;
  try {
    joined = new Database(join(folder, 'joined.sqlite'));
    statementsOf(joined).one`SELECT count(*) FROM sqlite_schema`();
    rmSync(folder, { recursive: true, force: true });
    if (joinInto(joined, files)) return planOnce(joined);
    joined.close();
    return undefined;
  } catch (cause) {
    joined?.close();
    throw cause;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/**
 * Joins the histories among several that can be read, where one of them changed since, in place of the joined history from
 * before. A reader that has that one open goes on with it.
 *
 * @throws HistoryError when there is no room for it.
 */
export function followHistories(files: readonly string[], to: string): void {
  const extent = files.map(extentOf).join('\n');
  const seen = `${to}.extent`;
  if (existsSync(seen) && readFileSync(seen, 'utf8') === extent) return;
  replaceJoined(files, to);
  writeFileSync(seen, extent);
}

/** Tells what is written to a file from what was there before. */
function extentOf(file: string): string {
  const path = resolveLinks(file);
  return ['', '-wal']
    .map(suffix => statSync(path + suffix, { throwIfNoEntry: false }))
    .map(stat => (stat === undefined ? '' : `${stat.ino} ${stat.size} ${stat.mtimeMs}`))
    .join(' ');
}

function replaceJoined(files: readonly string[], to: string): void {
  const fresh = `${to}.new`;
  for (let usable = files; ; ) {
    rmSync(fresh, { force: true });
    const joined = new Database(fresh);
    try {
      const isThere = joinInto(joined, usable);
      joined.close();
      if (isThere) renameSync(fresh, to);
      else for (const file of [fresh, to]) rmSync(file, { force: true });
      return;
    } catch (error) {
      joined.close();
      rmSync(fresh, { force: true });
      if (!(error instanceof UnreadablePart)) throw error;
      usable = usable.filter(file => file !== error.file);
    }
  }
}

/** One of several histories cannot be read. */
class UnreadablePart extends HistoryError {
  readonly file: string;

  constructor(file: string, { message, cause }: HistoryError) {
    super(message, { cause });
    this.file = file;
  }
}

function joinInto(joined: Database.Database, files: readonly string[]): boolean {
  const parts: JoinedPart[] = [];
  try {
    for (const file of files) {
      const database = openPart(file);
      if (database !== undefined) parts.push({ file, database });
    }
    if (parts.length > 0) write(joined, parts);
    return parts.length > 0;
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause;
    const isRoom = /^SQLITE_(FULL|IOERR)/.test(cause.code);
    throw isRoom ? refuseRoom(cause) : unusable(files.join(' or '), cause);
  } finally {
    for (const { database } of parts) database.close();
  }
}

/** Opens a history and holds it still; undefined where it is empty, and has nothing to add. */
function openPart(file: string): Database.Database | undefined {
  return readPart(file, () => openHistory(file)?.exec('BEGIN'));
}

function readPart<Found>(file: string, read: () => Found): Found {
  try {
    return read();
  } catch (cause) {
    const isFull = cause instanceof Database.SqliteError && cause.code === 'SQLITE_FULL';
    const error = cause instanceof Database.SqliteError && !isFull ? unusable(file, cause) : cause;
    throw error instanceof HistoryError ? new UnreadablePart(file, error) : error;
  }
}

function write(joined: Database.Database, parts: readonly JoinedPart[]): void {
  // Large pages are filled in four fifths of the time.
  joined.pragma('page_size = 16384');
  // Nothing to go back to: it is thrown away where it fails.
  joined.pragma('journal_mode = MEMORY');
  joined.pragma('synchronous = OFF');
  joined.pragma('foreign_keys = OFF');
  joined.pragma('temp_store = MEMORY');
  createSchema(joined);
  const projects = listJoinedProjects(parts);
  const accounts = new JoinedAccounts(parts, projects);
  const offsets = offsetRows(parts);
  const metered = listMetered(parts, projects, offsets);
  joined.transaction(() => accounts.write(joined))();
  for (const part of parts) {
    const copied = {
      offsets: offsets.get(part) ?? { endpoint_ref: 0, metered_ref: 0 },
      accounts: listAccountNumbers(part, accounts.refs),
      projects: projects.filter(({ last, moves }) => moves.length === 0 && last.part === part),
      metered: metered.get(part) ?? [],
    };
    readPart(part.file, () => withPath(part, path => copyRows(joined, path, copied)));
  }
  joined.transaction(() => {
    const joinMoved = projectJoiner(joined, accounts.refs, offsets);
    for (const project of projects) if (project.moves.length > 0) joinMoved(project);
    writeSources(joined, accounts.listSources());
  })();
}

function listAccountNumbers(part: JoinedPart, refs: ReadonlyMap<string, number>): readonly RowNumber[] {
  return statementsOf(part.database).all<[], { readonly own: number; readonly account: string }>`
    SELECT account_ref AS own, account FROM account`().map(({ own, account }) => ({
    own,
    ref: refs.get(account) ?? 0,
  }));
}

/** A path by which another connection can read a history that is open. */
function withPath({ file, database }: JoinedPart, read: (path: string) => void): void {
  if (existsSync(database.name)) {
    read(database.name);
    return;
  }
  // What may not be written here is read as a copy that has no name any more.
  const folder = makeFolder();
  try {
    read(copyInto(folder, resolveLinks(file)));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** A folder for histories that are joined, which who makes it takes away. */
export function makeFolder(): string {
  try {
    return mkdtempSync(join(tmpdir(), 'dbpm-exporter-'));
  } catch (cause) {
    throw refuseRoom(cause);
  }
}

function refuseRoom(cause: unknown): HistoryError {
  return new HistoryError(
    `several histories could not be joined in ${tmpdir()} (${describeCause(cause)}): make room there, or name another folder in TMPDIR`,
    { cause },
  );
}
