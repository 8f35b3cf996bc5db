import { existsSync, renameSync, rmSync } from 'node:fs';
import { resolve } from 'node:path';
import { Command } from 'commander';
import { settings } from '../config/setting.ts';
import { describeError } from '../log/error-record.ts';
import { Failure } from './failure.ts';
import type { Io } from './io.ts';
import { addSettingOptions, readSettingFlags } from './setting-option.ts';

/** How far a copy is, in pages of the file. */
export interface BackupProgress {
  readonly totalPages: number;
  readonly remainingPages: number;
}

/** The copying of a history, as this command sees it; answers the size of the copy in bytes. */
export interface BackupModule {
  readonly backupHistory: (options: {
    readonly from: string;
    readonly to: string;
    readonly onProgress: (progress: BackupProgress) => void;
  }) => Promise<number>;
}

/** `backup`: a consistent copy of a history file, also of one a daemon is writing. */
export function backupCommand(
  io: Io,
  { loadBackup }: { readonly loadBackup: () => Promise<BackupModule> } = {
    loadBackup: () => import('../history/file/backup.ts'),
  },
): Command {
  const { file } = settings.history;
  const command = new Command('backup')
    .description('copy the history file consistently, also while a daemon writes it')
    .requiredOption('--to <path>', 'the file to write the copy to')
    .option('--force', 'replace the file at --to if there is one', false);
  return addSettingOptions(command, [file]).action(async ({ to, force }: { to: string; force: boolean }) => {
    const from = readSettingFlags(command)[file.key] ?? (io.env[file.env ?? ''] || file.default || '');
    refuseUnusable(from, to, force);
    const { backupHistory } = await loadBackup();
    const bytes = await copyWhole(to, unfinished =>
      backupHistory({ from, to: unfinished, onProgress: progress => showProgress(io, progress) }),
    ).finally(() => io.stderrIsTerminal && io.stderr('\r\u001b[K'));
    io.stdout(`${resolve(to)}: ${renderSize(bytes)}, a copy of ${resolve(from)}\n`);
  });
}

/** Gives the copy its name only when it is whole, so that a broken one never replaces a good one. */
async function copyWhole(to: string, copy: (unfinished: string) => Promise<number>): Promise<number> {
  const unfinished = `${to}.unfinished`;
  const removeRest = () => {
    for (const suffix of ['', '-wal', '-shm', '-journal']) rmSync(`${unfinished}${suffix}`, { force: true });
  };
  removeRest();
  try {
    const bytes = await copy(unfinished);
    renameSync(unfinished, to);
    return bytes;
  } catch (error) {
    throw new Failure(`the backup failed: ${describeError(error)}`);
  } finally {
    removeRest();
  }
}

function refuseUnusable(from: string, to: string, force: boolean): void {
  if (!existsSync(from))
    throw new Failure(`there is no history file at ${from}: name it with --history.file`);
  if (resolve(from) === resolve(to))
    throw new Failure('--to is the history file itself: name another file', 2);
  if (existsSync(to) && !force)
    throw new Failure(`${to} exists: name another file, or replace it with --force`);
}

function showProgress(io: Io, { totalPages, remainingPages }: BackupProgress): void {
  if (io.stopped.aborted) throw new Error('it was told to stop');
  if (!io.stderrIsTerminal || totalPages === 0) return;
  io.stderr(`\rcopying: ${Math.floor((100 * (totalPages - remainingPages)) / totalPages)} %`);
}

function renderSize(bytes: number): string {
  if (bytes < 1000) return `${bytes} bytes`;
  const unit = bytes < 1_000_000 ? { name: 'kB', bytes: 1000 } : { name: 'MB', bytes: 1_000_000 };
  return `${(bytes / unit.bytes).toFixed(1)} ${unit.name}`;
}
