import { statSync, utimesSync } from 'node:fs';
import { resolveLinks } from './alias.ts';
import { isOwnedBy } from './owner.ts';

/** Beats come so often; a standby counts how long it sees none. */
const beatEveryMs = 1000;
/** After a longer silence a standby may have the history. */
const certainForMs = 2000;

/**
 * Signs of life for a standby that waits for the history: the time of its lock file changes every second. The instant itself
 * means nothing, so a step of the clock means nothing. Neither the lock nor the disk's space is touched by it.
 */
export class LockBeat {
  readonly #file: string;
  readonly #timer: NodeJS.Timeout;
  #beatAt = 0;
  /** The time of the lock file as it was last seen. */
  #lastBeat: bigint | undefined;
  #certainMs = performance.now();
  #isOurs = true;
  #ownerToken: string | undefined;

  constructor(file: string) {
    this.#file = file;
    this.#timer = setInterval(() => this.#beat(), beatEveryMs).unref();
  }

  /** From now on the history is that of the owner with this token. The one before sees by the beat to look at that. */
  noteTaken(ownerToken: string): void {
    this.#ownerToken = ownerToken;
    this.#certainMs = performance.now();
    this.#touch();
  }

  /**
   * Whether the history is still that of this daemon. It is looked at after a silence, and when another one beats, too: a
   * process that was stopped goes on with what it showed before, and another one may show more by now, or soon.
   */
  isOurs(): boolean {
    const token = this.#ownerToken;
    if (token === undefined) return this.#isOurs;
    const nowMs = performance.now();
    const beat = this.#readBeat();
    const isDoubtful = nowMs - this.#certainMs > certainForMs || beat !== this.#lastBeat;
    if (this.#isOurs && isDoubtful) this.#isOurs = isOwnedBy(this.#file, token);
    this.#lastBeat = beat;
    this.#certainMs = nowMs;
    return this.#isOurs;
  }

  /** Ends the signs of life. Whether the history is still this daemon's stays as it was last found. */
  close(): void {
    this.isOurs();
    this.#ownerToken = undefined;
    clearInterval(this.#timer);
  }

  #beat(): void {
    if (this.isOurs()) this.#touch();
  }

  #touch(): void {
    const now = Date.now();
    this.#beatAt = now === this.#beatAt ? now + 1 : now;
    try {
      utimesSync(lockOf(this.#file), this.#beatAt / 1000, this.#beatAt / 1000);
    } catch {
      // Before the history is opened there is no lock file; a daemon that may not change its time cannot be waited for.
    }
    this.#lastBeat = this.#readBeat();
  }

  #readBeat(): bigint | undefined {
    try {
      return readBeat(this.#file);
    } catch {
      return undefined;
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
