import { existsSync, statSync, utimesSync } from 'node:fs';
import Database from 'better-sqlite3';
import { resolveLinks } from './alias.ts';
import { describeCause, HistoryError, HistoryInUse } from './history-error.ts';
import { isOwnedBy } from './owner.ts';
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

/** Beats come so often; a standby counts how long it sees none. */
const beatEveryMs = 1000;
/** After a longer silence a standby may have the history. */
const certainForMs = 2000;

/**
 * Signs of life for a standby that waits for the history: the time of its lock file changes every second. The instant itself
 * means nothing, so a step of the clock means nothing. Neither the lock nor the disk's space is touched by it.
 */
export class LockBeat {
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  #beatAt = 0;
  /** The time of the lock file as it was last seen. */
  #lastBeat: bigint | undefined;
  #certainMs = performance.now();
  #isOurs = true;
  #ownerToken: string | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#timer = setInterval(() => this.#beat(), beatEveryMs).unref();
  }

  /** From now on the history is that of the owner with this token. The one before sees by the beat to look at that. */
  noteTaken(ownerToken: string): void {
    this.#ownerToken = ownerToken;
    this.#certainMs = performance.now();
    this.#touch();
  }

  /**
   * Whether the history is still that of this daemon. It is looked at after a silence, and when another one beats, too: a
   * process that was stopped goes on with what it showed before, and another one may show more by now, or soon.
   */
  isOurs(): boolean {
    const token = this.#ownerToken;
    if (token === undefined) return this.#isOurs;
    const nowMs = performance.now();
    const beat = this.#readBeat();
    const isDoubtful = nowMs - this.#certainMs > certainForMs || beat !== this.#lastBeat;
    if (this.#isOurs && isDoubtful) this.#isOurs = isOwnedBy(this.#file, token);
    this.#lastBeat = beat;
    this.#certainMs = nowMs;
    return this.#isOurs;
  }

  /** Ends the signs of life. Whether the history is still this daemon's stays as it was last found. */
  close(): void {
    this.isOurs();
    this.#ownerToken = undefined;
    clearInterval(this.#timer);
  }

  #beat(): void {
    if (this.isOurs()) this.#touch();
  }

  #touch(): void {
    const now = Date.now();
    this.#beatAt = now === this.#beatAt ? now + 1 : now;
    try {
      utimesSync(lockOf(this.#file), this.#beatAt / 1000, this.#beatAt / 1000);
    } catch {
      // Before the history is opened there is no lock file; a daemon that may not change its time cannot be waited for.
    }
    this.#lastBeat = this.#readBeat();
  }

  #readBeat(): bigint | undefined {
    try {
      return readBeat(this.#file);
    } catch {
      return undefined;
    }
  }
}

/** The last sign of life, to be compared with another; undefined where there never was one. */
export function readBeat(file: string): bigint | undefined {
  return statSync(lockOf(file), { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}

function lockOf(file: string): string {
  return `${resolveLinks(file)}.lock`;
}
