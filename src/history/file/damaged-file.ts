import { closeSync, existsSync, openSync, readSync, renameSync, statSync } from 'node:fs';
import { resolveLinks } from './alias.ts';
import { applicationId, applicationIdAt } from './format.ts';
import { describeCause, isDamage } from './history-error.ts';
import { lockHistory } from './lock.ts';

/** A damaged history that was given another name, and another one begun in its place. */
export interface SetAside {
  /** Epoch milliseconds by this host's clock. */
  readonly at: number;
  readonly file: string;
  readonly problem: string;
}

/** Whether the file, which may be damaged, was used as a history: a daemon locked it, or its header says so. */
export function wasHistory(file: string): boolean {
  const path = resolveLinks(file);
  if (!existsSync(path)) return false;
  if (existsSync(`${path}.lock`)) return true;
  const descriptor = openSync(path, 'r');
  try {
    const id = Buffer.alloc(4);
    return readSync(descriptor, id, 0, 4, applicationIdAt) === 4 && id.readUInt32BE() === applicationId;
  } finally {
    closeSync(descriptor);
  }
}

/**
 * Opens a history; a damaged one is set aside and another one begun. Nothing is deleted, but that SQLite moves a log it
 * can read into the file before it gives up.
 *
 * @param open opens the file, and throws an error with the cause where it is damaged.
 * @param now epoch milliseconds by this host's clock.
 * @throws what `open` throws for another reason, and HistoryError when the file cannot be given another name.
 */
export function openOrBeginAnew<Opened>(
  file: string,
  open: () => Opened,
  now: number,
): { readonly opened: Opened; readonly setAside?: SetAside } {
  const isKnown = wasHistory(file);
  const path = resolveLinks(file);
  const ino = statSync(path, { throwIfNoEntry: false })?.ino;
  try {
    return { opened: open() };
  } catch (error) {
    if (!isKnown || !isDamage(error)) throw error;
    const lock = lockHistory(path, file);
    const setAside = { at: now, file: nameFor(path, now), problem: describeCause(error) };
    try {
      // Another daemon may have begun anew since.
      if (statSync(path, { throwIfNoEntry: false })?.ino !== ino) throw error;
      for (const suffix of ['-wal', '-shm', '']) {
        if (existsSync(path + suffix)) renameSync(path + suffix, setAside.file + suffix);
      }
    } finally {
      lock.release();
    }
    return { opened: open(), setAside };
  }
}

/** Such as `dbpm.sqlite.damaged-20261122T092500Z`. */
function nameFor(path: string, now: number): string {
  const instant = new Date(now).toISOString().replace(/[-:]|\.\d+/g, '');
  return `${path}.damaged-${instant}`;
}
