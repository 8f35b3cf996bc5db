import { mkdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { type BackupPlan, backupHistory, nameBackup, removeOldBackups } from '../history/file/backup.ts';
import { HistoryError } from '../history/file/history-error.ts';
import { historySizeBytes } from '../history/file/reader.ts';
import { nameWhenWhole } from '../history/file/whole-file.ts';

/** The methods of the thread that makes a backup. */
export interface BackupApi {
  /**
   * Makes one backup, and removes the oldest ones beyond those to keep.
   *
   * @param at epoch milliseconds by the host's clock.
   * @throws HistoryError, or the system's error, when it cannot be made.
   */
  backUp(file: string, plan: BackupPlan, at: number): Promise<void>;
}

/** The check of a copy reads all of it: without a thread of their own for backups, readings and scrapes would wait for that. */
export function serve(): BackupApi {
  return { backUp };
}

async function backUp(file: string, plan: BackupPlan, at: number): Promise<void> {
  const to = nameBackup(file, plan.directory, at);
  mkdirSync(dirname(to), { recursive: true, mode: 0o700 });
  const { bavail, bsize } = statfsSync(dirname(to));
  const needed = historySizeBytes(file);
  if (bavail * bsize < needed) {
    throw new HistoryError(
      `${dirname(to)} has no room for a backup of ${needed} bytes: make room, name another folder with history.backup.directory, or keep fewer with history.backup.keep`,
    );
  }
  await nameWhenWhole(to, unfinished => backupHistory({ from: file, to: unfinished }));
  removeOldBackups(file, plan);
}
