import { Worker } from 'node:worker_threads';
import { type BackupPlan, listBackups } from '../history/file/kept-backup.ts';
import { hourMs } from '../resources/duration.ts';
import type { BackupOutcome, BackupTask } from './backup-worker.ts';
import { unpackError } from './sent-error.ts';

interface BackupListeners {
  readonly onMade: (at: number) => void;
  readonly onFailed: (error: Error) => void;
}

/** Has a backup of the history made whenever the newest one is old enough. */
export class BackupKeeping {
  readonly #file: string;
  readonly #plan: BackupPlan;
  readonly #listeners: BackupListeners;
  #worker: Worker | undefined;
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
    return this.#worker !== undefined;
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
    this.#begin(now);
  }

  #begin(at: number): void {
    const task: BackupTask = { file: this.#file, plan: this.#plan, at };
    const worker = new Worker(new URL('./backup-worker.ts', import.meta.url), { workerData: task });
    this.#worker = worker;
    worker.once('message', ({ error }: BackupOutcome) => {
      if (error === undefined) this.#listeners.onMade(at);
      else this.#listeners.onFailed(unpackError(error));
    });
    worker.once('error', error => this.#listeners.onFailed(error));
    worker.once('exit', () => {
      this.#worker = undefined;
    });
  }

  /** Ends a backup under way; its file is left unfinished, and removed when the next one begins. */
  async close(): Promise<void> {
    await this.#worker?.terminate();
  }
}
