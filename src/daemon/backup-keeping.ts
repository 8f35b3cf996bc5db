import { mkdirSync, statfsSync } from 'node:fs';
import { dirname } from 'node:path';
import {
  type BackupPlan,
  backupHistory,
  listBackups,
  nameBackup,
  removeOldBackups,
} from '../history/file/backup.ts';
import { HistoryError } from '../history/file/history-error.ts';
import { historySizeBytes } from '../history/file/reader.ts';
import { nameWhenWhole } from '../history/file/whole-file.ts';
import { hourMs } from '../resources/duration.ts';
import { startWorker, type Thread } from '../thread/worker.ts';

interface BackupListeners {
  readonly onMade: (at: number) => void;
  readonly onFailed: (error: Error) => void;
}

/** Has a backup of the history made whenever the newest one is old enough. */
export class BackupKeeping {
  readonly #file: string;
  readonly #plan: BackupPlan;
  readonly #listeners: BackupListeners;
  #thread: Thread<BackupApi> | undefined;
  /** When the last one was begun, or this was, by the clock that never jumps. */
  #triedMs: number;

  /** @param nowMs of a clock that never jumps. */
  constructor(file: string, plan: BackupPlan, listeners: BackupListeners, nowMs: number) {
    this.#file = file;
    this.#plan = plan;
    this.#listeners = listeners;
    this.#triedMs = nowMs;
  }

  /** Whether a backup is under way. */
  get isBusy(): boolean {
    return this.#thread !== undefined;
  }

  /** When the newest backup was made, in epoch milliseconds by the host's clock; undefined where there is none. */
  newestAt(): number | undefined {
    return listBackups(this.#file, this.#plan.directory)[0]?.at;
  }

  /**
   * Begins a backup if one is due: never in the first hour after a start, nor sooner than an hour after one that failed.
   *
   * @param now epoch milliseconds by the host's clock.
   * @param nowMs of the clock that never jumps.
   */
  keepUp(now: number, nowMs: number): void {
    const { everyMs, keep } = this.#plan;
    if (keep === 0 || this.isBusy) return;
    if (nowMs - this.#triedMs < Math.min(everyMs, hourMs)) return;
    const newestAt = this.newestAt();
    // One of the future was named by a clock that was set back since.
    if (newestAt !== undefined && newestAt <= now && now - newestAt < everyMs) return;
    this.#triedMs = nowMs;
    void this.#begin(now);
  }

  async #begin(at: number): Promise<void> {
    const thread = startWorker<BackupApi>(new URL(import.meta.url), {
      ended: 'the thread that makes a backup ended',
    });
    this.#thread = thread;
    const failure = await thread.ask.backUp(this.#file, this.#plan, at).then(
      () => undefined,
      (error: Error) => error,
    );
    // One that was ended by `close` has failed for no reason.
    if (this.#thread !== thread) return;
    if (failure === undefined) this.#listeners.onMade(at);
    else this.#listeners.onFailed(failure);
    await this.close();
  }

  /** Ends a backup under way; its file is left unfinished, and removed when the next one begins. */
  async close(): Promise<void> {
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.close();
  }
}

/** The methods of the thread that makes a backup. */
interface BackupApi {
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
