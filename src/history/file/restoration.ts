import { copyFileSync } from 'node:fs';
import { describeCause } from './history-error.ts';
import type { KeptBackup } from './kept-backup.ts';
import { findUnsound, openReader } from './reader.ts';
import { UnfinishedFile } from './whole-copy.ts';

/** The backup that goes on in place of a damaged history, or why there is none. */
export interface Restoration {
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
export function restoreNewest(backups: readonly KeptBackup[], to: string): Restoration {
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
