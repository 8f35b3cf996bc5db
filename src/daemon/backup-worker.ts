import { mkdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { backupHistory } from '../history/file/backup.ts';
import { HistoryError } from '../history/file/history-error.ts';
import { historySizeBytes } from '../history/file/history-size.ts';
import { type BackupPlan, nameBackup, removeOldBackups } from '../history/file/kept-backup.ts';
import { nameWhenWhole } from '../history/file/whole-copy.ts';
import { packError, type SentError } from './sent-error.ts';

export interface BackupTask {
  readonly file: string;
  readonly plan: BackupPlan;
  /** Epoch milliseconds by the host's clock. */
  readonly at: number;
}

/** An empty one says that the backup is made. */
export interface BackupOutcome {
  readonly error?: SentError;
}

/**
 * Makes one backup in a thread of its own and ends: the check of a copy reads all of it, and neither readings nor scrapes
 * are to wait for that.
 */
async function backUp({ file, plan, at }: BackupTask): Promise<void> {
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

async function start(): Promise<void> {
  const outcome: BackupOutcome = await backUp(workerData).then(
    () => ({}),
    error => ({ error: packError(error) }),
  );
  parentPort?.postMessage(outcome);
}

await start();
