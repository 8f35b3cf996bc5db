import { readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { resolveLinks } from './alias.ts';

/** How a daemon keeps backups of its history. */
export interface BackupPlan {
  readonly everyMs: number;
  /** How many of the newest backups are kept; 0 for none at all. */
  readonly keep: number;
  /** Empty where backups lie beside the history. */
  readonly directory: string;
}

/** A backup that a daemon made. */
export interface KeptBackup {
  readonly file: string;
  /** When it was begun, in epoch milliseconds by the host's clock. */
  readonly at: number;
}

/** A file beside a history that tells what it is and of when: `dbpm.sqlite.backup-20261122T092500Z`. */
export function nameBeside(path: string, word: 'backup' | 'damaged', at: number): string {
  return `${path}.${word}-${new Date(at).toISOString().replace(/[-:]|\.\d+/g, '')}`;
}

/** The path a backup of a history gets. */
export function nameBackup(history: string, directory: string, at: number): string {
  const path = resolveLinks(history);
  return nameBeside(directory === '' ? path : join(directory, basename(path)), 'backup', at);
}

const instantOfName = /\.backup-(\d{4})(\d\d)(\d\d)T(\d\d)(\d\d)(\d\d)Z$/;

/** The backups of a history that a daemon made, the newest first; none where the folder cannot be read. */
export function listBackups(history: string, directory: string): readonly KeptBackup[] {
  const path = resolveLinks(history);
  const folder = directory === '' ? dirname(path) : directory;
  return listNames(folder)
    .filter(name => name.startsWith(`${basename(path)}.backup-`))
    .map(name => ({
      file: join(folder, name),
      at: Date.parse(name.match(instantOfName)?.[0].replace(instantOfName, '$1-$2-$3T$4:$5:$6Z') ?? ''),
    }))
    .filter(({ at }) => !Number.isNaN(at))
    .sort((a, b) => b.at - a.at);
}

function listNames(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** Removes all backups but the newest `keep`. */
export function removeOldBackups(history: string, { directory, keep }: BackupPlan): void {
  for (const { file } of listBackups(history, directory).slice(keep)) rmSync(file, { force: true });
}
