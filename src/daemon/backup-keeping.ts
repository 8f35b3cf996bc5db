import { type BackupPlan, listBackups } from '../history/file/backup.ts';
import { hourMs } from '../resources/duration.ts';
import { startWorker, type Thread } from '../thread/worker.ts';
import type { BackupApi } from './backup-worker.ts';

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
    const module = new URL('./backup-worker.ts', import.meta.url);
    const thread = startWorker<BackupApi>(module, { ended: 'the thread that makes a backup ended' });
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
