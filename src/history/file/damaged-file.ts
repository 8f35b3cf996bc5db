import { closeSync, copyFileSync, existsSync, openSync, readSync, renameSync, writeFileSync } from 'node:fs';
import { inodeOf, resolveLinks } from './alias.ts';
import { type KeptBackup, nameBeside } from './backup.ts';
import { applicationId, applicationIdAt } from './format.ts';
import { describeCause } from './history-error.ts';
import { lockHistory } from './lock.ts';
import { findUnsound, openReader } from './reader.ts';
import { UnfinishedFile } from './whole-file.ts';

/** A damaged history that was given another name, and another one begun in its place. */
export interface SetAside extends Restoration {
  /** Epoch milliseconds by this host's clock. */
  readonly at: number;
  readonly file: string;
  readonly problem: string;
}

/** The history that goes on in place of a damaged one, and after a semicolon what to do, as the end of a sentence. */
export function describeNext(backup: SetAside['backup']): string {
  if (backup === undefined) {
    return 'and all counters began anew, as there is no backup; if you have one elsewhere, stop the daemon and put it in the place of the history';
  }
  const since = new Date(backup.at).toISOString();
  return `and the newest backup goes on in its place: what was recorded since ${since} is lost but for what the service still tells; look at the disk, which may be failing`;
}

/** Whether the file, which may be damaged, was used as a history: a daemon locked it, or its header says so. */
export function wasHistory(file: string): boolean {
  const path = resolveLinks(file);
  if (!existsSync(path)) return false;
  return existsSync(`${path}.lock`) || saysHistory(path);
}

/** The mark beside a history with a part that was found damaged: all of it is looked at when it is opened next. */
export function suspicionOf(path: string): string {
  return `${path}.suspect`;
}

/** Marks a history with a part that was found damaged. */
export function markSuspect(file: string): void {
  try {
    writeFileSync(suspicionOf(resolveLinks(file)), '');
  } catch {
    // The log tells of the damage in any case.
  }
}

/** Whether the header of a file says that it is a history. */
export function saysHistory(path: string): boolean {
  const descriptor = openSync(path, 'r');
  try {
    const id = Buffer.alloc(4);
    return readSync(descriptor, id, 0, 4, applicationIdAt) === 4 && id.readUInt32BE() === applicationId;
  } finally {
    closeSync(descriptor);
  }
}

/** What was found of a history that is damaged. */
interface Damage {
  readonly error: unknown;
  /** The file that it was found in; undefined where there was none. */
  readonly ino: number | undefined;
}

/**
 * Gives a damaged history another name, and puts a backup in its place if there is a sound one. Nothing is deleted.
 *
 * @param backups the newest first.
 * @param now epoch milliseconds by this host's clock.
 * @throws the error of the damage where another file is there by now, and HistoryError when it cannot be given another name.
 */
export function setAsideDamaged(
  file: string,
  { error, ino }: Damage,
  backups: readonly KeptBackup[],
  now: number,
): SetAside {
  const path = resolveLinks(file);
  const lock = lockHistory(path, file);
  try {
    // Another daemon may have begun anew since.
    if (inodeOf(path) !== ino) throw error;
    const aside = nameBeside(path, 'damaged', now);
    for (const suffix of ['-wal', '-shm', '']) {
      if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
    }
    return { at: now, file: aside, problem: describeCause(error), ...restoreNewest(backups, path) };
  } finally {
    lock.release();
  }
}

/** The backup that goes on in place of a damaged history, or why there is none. */
interface Restoration {
  readonly backup?: KeptBackup;
  /** Why the newest backup could not be used; absent where there is none. */
  readonly failure?: string;
}

/**
 * Puts the newest sound backup in the place of a history. A backup stays where it is. Nothing here keeps a daemon from
 * starting.
 *
 * @param backups the newest first.
 * @param to where the history is to be, and nothing is yet.
 */
function restoreNewest(backups: readonly KeptBackup[], to: string): Restoration {
  let failure: string | undefined;
  for (const backup of backups) {
    try {
      using unfinished = new UnfinishedFile(to);
      copyFileSync(backup.file, unfinished.path);
      refuseUnsound(unfinished.path);
      unfinished.name();
      return { backup };
    } catch (cause) {
      failure ??= `${backup.file}: ${describeCause(cause)}`;
    }
  }
  return failure === undefined ? {} : { failure };
}

function refuseUnsound(file: string): void {
  const database = openReader(file);
  try {
    const flaw = findUnsound(database);
    if (flaw !== undefined) throw new Error(flaw);
  } finally {
    database.close();
  }
}
