import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { resolveLinks } from './alias.ts';
import { applicationId, applicationIdAt } from './format.ts';
import { describeCause, isDamage } from './history-error.ts';
import { lockHistory } from './lock.ts';

/** The part of a damaged history that another one goes on from; sentences for people. */
export interface SavedHistory {
  /** Whether it is all of it. */
  readonly isWhole: boolean;
  /** Losses by table. */
  readonly lost: readonly string[];
  /** Counters that begin anew, with what they are of. */
  readonly begunAnew: readonly string[];
  /** Tables for which there was no time. */
  readonly leftOut: readonly string[];
}

/** A damaged history that was given another name, and another one begun in its place. */
export interface SetAside {
  /** Epoch milliseconds by this host's clock. */
  readonly at: number;
  readonly file: string;
  readonly problem: string;
  /** Absent where nothing was saved. */
  readonly saved?: SavedHistory;
  /** Why saving it failed; known when it was set aside alone. */
  readonly failure?: string;
}

/** The outcome of saving a damaged history: nothing where nothing could be saved, and why where that failed. */
export interface SaveOutcome {
  readonly saved?: SavedHistory;
  readonly failure?: string;
}

/** Whether the file, which may be damaged, was used as a history: a daemon locked it, or its header says so. */
export function wasHistory(file: string): boolean {
  const path = resolveLinks(file);
  if (!existsSync(path)) return false;
  return existsSync(`${path}.lock`) || saysHistory(path);
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

/**
 * Opens a history; a damaged one is set aside, and another one begun with what can be saved of it. Nothing is deleted, but
 * that SQLite moves a log it can read into the file before it gives up.
 *
 * @param open opens the file, and throws an error with the cause where it is damaged.
 * @param save saves what it can of a damaged history into another file.
 * @param now epoch milliseconds by this host's clock.
 * @throws what `open` throws for another reason, and HistoryError when the file cannot be given another name.
 */
export function openOrBeginAnew<Opened>(
  file: string,
  {
    open,
    save,
    now,
  }: {
    readonly open: () => Opened;
    readonly save: (from: string, to: string) => SaveOutcome;
    readonly now: number;
  },
): { readonly opened: Opened; readonly setAside?: SetAside } {
  const isKnown = wasHistory(file);
  const path = resolveLinks(file);
  const ino = statSync(path, { throwIfNoEntry: false })?.ino;
  try {
    return { opened: open() };
  } catch (error) {
    if (!isKnown || !isDamage(error)) throw error;
    const lock = lockHistory(path, file);
    const aside = nameFor(path, now);
    let outcome: SaveOutcome;
    try {
      // Another daemon may have begun anew since.
      if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) throw error;
      for (const suffix of ['-wal', '-shm', '']) {
        if (existsSync(path + suffix)) renameSync(path + suffix, aside + suffix);
      }
      outcome = save(aside, path);
    } finally {
      lock.release();
    }
    const setAside = { at: now, file: aside, problem: describeCause(error), ...outcome };
    return { opened: open(), setAside };
  }
}

/** Such as `dbpm.sqlite.damaged-20261122T092500Z`. */
function nameFor(path: string, now: number): string {
  const instant = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${path}.damaged-${instant}`;
}
