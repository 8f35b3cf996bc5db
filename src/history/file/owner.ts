import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync, type Stats, statSync } from 'node:fs';
import { hostname } from 'node:os';
import type { Database } from 'better-sqlite3';
import { resolveLinks } from './alias.ts';
import { HistoryInUse, HistoryTakenOver } from './history-error.ts';
import { openReader } from './reader.ts';
import { statementsOf } from './statement.ts';

/** How a standby takes a history: one that is free, or one held by a process that gives no sign of life. */
export type Takeover = 'free' | 'held';

export interface OwnerOptions {
  /** Whether it gives signs of life while it has the history. */
  readonly beats: boolean;
  /** Absent where it waited for no other daemon. */
  readonly takeover?: Takeover | undefined;
  /** Looks at the history before it is taken; it stays with the owner before, as it was, when this throws. */
  readonly refuse?: (database: Database) => void;
  /** Whether the file is known to be a copy. */
  readonly isCopy?: boolean | undefined;
}

const ownerRow = 'SELECT * FROM owner';

interface OwnerRow {
  readonly token: string;
  readonly pid: number;
  readonly host: string;
  readonly beats: number;
}

/**
 * The right to write a history, written in the history itself. A lock beside it can be removed, and is kept by a process
 * that is stopped; this cannot be missed, as it is looked at in every transaction that writes.
 */
export class Owner {
  /** Tells it from every other one: containers may share a host name, and each has a process 1. */
  readonly token = randomUUID();
  readonly #read;

  /**
   * Takes the history from the owner before.
   *
   * @throws HistoryInUse when a process holds it that gives no signs of life.
   */
  constructor(database: Database, options: OwnerOptions) {
    const sql = statementsOf(database);
    const { beats, takeover } = options;
    this.#read = sql.one<[], OwnerRow>`${ownerRow}`;
    const take = sql.run<[string, number, string, number, number]>`
      INSERT INTO owner (only, token, pid, host, generation, takeovers, beats) VALUES (1, ?, ?, ?, 1, ?, ?)
      ON CONFLICT DO UPDATE SET token = excluded.token, pid = excluded.pid, host = excluded.host, beats = excluded.beats,
        generation = generation + 1, takeovers = takeovers + excluded.takeovers`;
    const taking = database.transaction(() => {
      refuseTaking(database, options);
      take(this.token, process.pid, hostname(), Number(takeover !== undefined), Number(beats));
    });
    taking.immediate();
  }

  /** Marks a file as a copy, once it has an owner. */
  static markCopy(database: Database): void {
    database.exec('UPDATE owner SET is_copy = 1');
  }

  /** Whether the file is a copy that was not wholly read again yet. */
  static isCopy(database: Database): boolean {
    return statementsOf(database).value<[], number>`SELECT is_copy FROM owner`() === 1;
  }

  /** To be called in the transaction that writes, once all was read again. */
  static endCopy(database: Database): void {
    database.exec('UPDATE owner SET is_copy = 0');
  }

  /** How often a standby took the history over, ever. */
  static takeovers(database: Database): number {
    return statementsOf(database).value<[], number>`SELECT takeovers FROM owner`() ?? 0;
  }

  /**
   * To be called in the transaction that writes.
   *
   * @throws HistoryTakenOver when another one took the history.
   */
  assertStill(): void {
    const owner = this.#read();
    if (owner?.token === this.token) return;
    throw new HistoryTakenOver(
      `the history was taken over by another dbpm-exporter (${describe(owner)}): this one stops, as both would count the same`,
    );
  }
}

/**
 * Looks whether a history may be taken, before anything is written to it.
 *
 * @throws HistoryInUse when a process holds it that gives no signs of life, when its owner runs though its
 *   lock file was removed, and what `refuse` throws.
 */
export function refuseTaking(database: Database, { takeover, refuse }: OwnerOptions): void {
  const before = statementsOf(database).one<[], OwnerRow>`${ownerRow}`();
  if (takeover === 'held' && before !== undefined && !before.beats)
    throw new HistoryInUse(`the history is in use by ${describe(before)}: it is taken over after that`);
  if (takeover === undefined && before !== undefined && isRunning(before, database.name))
    throw new HistoryInUse(
      `${database.name} is in use by ${describe(before)}, whose lock file was removed: stop that one, or give this one a history file of its own`,
    );
  refuse?.(database);
}

/** Whether an owner on this host has the history open; one of this process closes it first. */
function isRunning({ pid, host }: OwnerRow, path: string): boolean {
  return host === hostname() && pid !== process.pid && hasOpened(pid, statSync(path));
}

/** Whether the owner with this token was the last one to take a history. What cannot be read says nothing against it. */
export function isOwnedBy(file: string, token: string): boolean {
  try {
    const database = openReader(file);
    try {
      const owner = statementsOf(database).one<[], OwnerRow>`${ownerRow}`();
      return owner === undefined || owner.token === token;
    } finally {
      database.close();
    }
  } catch {
    return true;
  }
}

function describe(owner: OwnerRow | undefined): string {
  return owner === undefined ? 'somebody' : `process ${owner.pid} on ${owner.host}`;
}

/** Whether a process has opened a file; false where the system does not tell (another host, container, user or system). */
function hasOpened(pid: number, { dev, ino }: Stats): boolean {
  const folder = `/proc/${pid}/fd`;
  try {
    return readdirSync(folder).some(name => {
      const opened = statSync(`${folder}/${name}`, { throwIfNoEntry: false });
      return opened?.dev === dev && opened.ino === ino;
    });
  } catch {
    return false;
  }
}

const lockTable = '/proc/locks';
/** The byte of the shared memory that the writing process has locked ("WAL-mode File Format", 2.3.1). */
const writeLockAt = 120;
/** `6: POSIX  ADVISORY  WRITE 4711 08:02:131073 120 120` (proc_locks(5)). */
const writeLock =
  /POSIX\s+ADVISORY\s+WRITE\s+(?<pid>\d+)\s+[\da-f]+:[\da-f]+:(?<inode>\d+)\s+(?<from>\d+)\s+(?<until>\d+)/;
/** The state comes after the name, which may hold anything (proc_pid_stat(5)): `T` is stopped. */
const stoppedState = /\) [Tt] /;

/**
 * Finds a process that was stopped in the midst of writing a history: it holds the file, so that no process can write beside
 * it until it goes on or ends.
 *
 * @returns its id; undefined where there is none, or where the system does not tell (another host, container or system).
 */
export function findStoppedWriter(file: string): number | undefined {
  const shared = statSync(`${resolveLinks(file)}-shm`, { throwIfNoEntry: false });
  if (shared === undefined) return undefined;
  const pids = readText(lockTable)
    .split('\n')
    .map(line => writeLock.exec(line)?.groups)
    .filter(found => found !== undefined && Number(found.inode) === shared.ino)
    .filter(found => Number(found?.from) <= writeLockAt && Number(found?.until) >= writeLockAt)
    .map(found => Number(found?.pid));
  return pids.find(
    pid => pid > 0 && stoppedState.test(readText(`/proc/${pid}/stat`)) && hasOpened(pid, shared),
  );
}

/** Empty where it cannot be read. */
function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
