import { readdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { resolveLinks } from './alias.ts';
import { saysHistory } from './damaged-file.ts';

/** A copy of a history, with when it was last written in epoch milliseconds. */
export interface FoundBackup {
  readonly file: string;
  readonly at: number;
}

/** Files of a history in use, and damaged ones. */
const noBackup = /\.damaged-\d{8}T\d{6}Z|-(wal|shm|journal)$|\.(lock|unfinished)$/;

/** The newest other history in the folder of a history: most likely its last backup. Undefined where there is none. */
export function findNewestBackup(file: string): FoundBackup | undefined {
  const path = resolveLinks(file);
  const backups = listFiles(dirname(path))
    .filter(each => each !== path && !noBackup.test(each))
    .flatMap(each => tryBackup(each));
  return backups.sort((a, b) => b.at - a.at)[0];
}

function listFiles(folder: string): readonly string[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
      .filter(entry => entry.isFile())
      .map(({ name }) => join(folder, name));
  } catch {
    // What may not be looked at is not offered.
    return [];
  }
}

function tryBackup(file: string): readonly FoundBackup[] {
  try {
    return saysHistory(file) ? [{ file, at: statSync(file).mtimeMs }] : [];
  } catch {
    return [];
  }
}
