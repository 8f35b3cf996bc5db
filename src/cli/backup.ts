import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { nameWhenWhole } from '../history/file/whole-file.ts';
import { describeError } from '../log/error-record.ts';
import { Failure } from '../resources/failure.ts';
import { readHistoryFile } from './history-command.ts';
import type { Io } from './io.ts';
import { addSettingOptions, historySettings } from './setting-option.ts';
import { withProgress } from './terminal.ts';

/** The state of a copy, in pages of the file. */
interface BackupProgress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

/** The copying of a history, which resolves to the size of the copy in bytes; loaded only once it is needed. */
export interface BackupModule {
  readonly backupHistory: (options: {
    readonly from: string;
    readonly to: string;
    readonly onProgress: (progress: BackupProgress) => void;
  }) => Promise<number>;
}

interface BackupFlags {
  readonly to: string;
  readonly force: boolean;
}

/** `backup`: a consistent copy of a history file, also of one a daemon is writing. */
export function backupCommand(
  io: Io,
  { loadBackup }: { readonly loadBackup: () => Promise<BackupModule> } = {
    loadBackup: () => import('../history/file/backup.ts'),
  },
): Command {
  const command = new Command('backup')
    .description('copy the history file consistently, also while a daemon writes it')
    .requiredOption('--to <path>', 'the file to write the copy to, such as backup.sqlite')
    .option('--force', 'replace the file at --to if there is one', false);
  return addSettingOptions(command, historySettings).action(async ({ to, force }: BackupFlags) => {
    const from = await readHistoryFile(command, io);
    refuseTarget(from, to, force);
    const { backupHistory } = await loadBackup();
    const bytes = await withProgress(io, 'copying', show => {
      const onProgress = ({ totalPages, remainingPages }: BackupProgress) => {
        if (io.stopped.aborted) throw new Error('it was told to stop');
        if (totalPages > 0) show((totalPages - remainingPages) / totalPages);
      };
      return nameWhenWhole(to, unfinished => backupHistory({ from, to: unfinished, onProgress }));
    }).catch(error => {
      throw new Failure(`the backup failed: ${describeError(error)}`);
    });
    io.stdout(`${resolve(to)}: ${renderSize(bytes)}, a copy of ${resolve(from)}\n`);
  });
}

function refuseTarget(from: string, to: string, force: boolean): void {
  if (resolve(from) === resolve(to))
    throw new Failure('--to is the history file itself: name another file', 'usage');
  if (existsSync(to) && !force)
    throw new Failure(`${to} exists: name another file, or replace it with --force`);
}

const kilobyte = 1000;
const megabyte = 1_000_000;

/** A size as people read it: `7 bytes`, `12.0 kB`, `3.4 MB`. What rounds up to a megabyte is `1.0 MB`. */
function renderSize(bytes: number): string {
  if (bytes < kilobyte) return `${bytes} bytes`;
  const kilobytes = (bytes / kilobyte).toFixed(1);
  return Number(kilobytes) < megabyte / kilobyte ? `${kilobytes} kB` : `${(bytes / megabyte).toFixed(1)} MB`;
}
