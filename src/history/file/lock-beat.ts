import { statSync, utimesSync } from 'node:fs';
import { resolveLinks } from './alias.ts';
import { isOwnedHere } from './owner.ts';

/** Beats come so often; a standby counts how long it sees none. */
const beatEveryMs = 1000;
/** After a longer silence a standby may have the history. */
const certainForMs = 2000;

/**
 * Signs of life for whoever waits for the history: the time of its lock file changes every second. The instant itself
 * means nothing, so a step of the clock means nothing. Neither the lock nor the disk's space is touched by it.
 */
export class LockBeat {
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  #beatAt = 0;
  #certainMs = performance.now();
  #isOurs = true;
  #isTaken = false;

  constructor(file: string) {
    this.#file = file;
    this.#timer = setInterval(() => this.#beat(), beatEveryMs).unref();
  }

  /** From now on the history is that of this process. */
  noteTaken(): void {
    this.#isTaken = true;
    this.#certainMs = performance.now();
  }

  /**
   * Whether the history is still that of this process. It is looked at after a silence: a process that was stopped goes on
   * with what it showed before, and another one may show more by now.
   */
  isOurs(): boolean {
    if (!this.#isTaken) return true;
    const nowMs = performance.now();
    if (this.#isOurs && nowMs - this.#certainMs > certainForMs) this.#isOurs = isOwnedHere(this.#file);
    this.#certainMs = nowMs;
    return this.#isOurs;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #beat(): void {
    if (!this.isOurs()) return;
    const now = Date.now();
    this.#beatAt = now === this.#beatAt ? now + 1 : now;
    try {
      utimesSync(lockOf(this.#file), this.#beatAt / 1000, this.#beatAt / 1000);
    } catch {
      // Before the history is opened there is no lock file; whoever may not change its time cannot be waited for.
    }
  }
}

/** The last sign of life, to be compared with another; undefined where there never was one. */
export function readBeat(file: string): bigint | undefined {
  return statSync(lockOf(file), { bigint: true, throwIfNoEntry: false })?.mtimeNs;
}

function lockOf(file: string): string {
  return `${resolveLinks(file)}.lock`;
}
