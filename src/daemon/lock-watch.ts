import { resolveLinks } from '../history/file/alias.ts';
import { isLocked } from '../history/file/lock.ts';
import { readBeat } from '../history/file/lock-beat.ts';
import type { Takeover } from '../history/file/owner.ts';
import { secondMs } from '../resources/duration.ts';

/**
 * Waits for a history that another daemon has.
 *
 * @param takeOver tries to take it once that one is gone; resolves to whether this daemon has it now.
 * @returns what ends the waiting.
 */
export function watchLock(
  file: string,
  takeOver: (takeover: Takeover) => Promise<boolean>,
): { close(): void } {
  const judge = new SilenceJudge();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const wait = () => {
    if (!isClosed) timer = setTimeout(look, lookEveryMs).unref();
  };
  const look = async () => {
    const lock = { beat: readBeat(file), isLocked: () => isLocked(resolveLinks(file)) };
    const takeover = judge.judge(lock, performance.now());
    if (takeover !== undefined) {
      if (await takeOver(takeover)) return;
      judge.rest();
    }
    wait();
  };
  wait();
  return {
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}

/** How often a standby looks at the lock of the history. */
export const lookEveryMs = secondMs / 2;

/** A daemon that let the lock go may only not have it yet: then its signs of life go on. */
const freeAfterMs = 2.5 * secondMs;
/** A daemon that holds the lock and gives no sign of life for so long is stopped. */
const heldAfterMs = 4 * secondMs;

/** Signs of the daemon that has the history, as a standby sees them. */
interface SeenLock {
  /** Changes with every sign of life. */
  readonly beat: bigint | undefined;
  /** Asked only when there was silence for a while: looking at a lock takes it for a moment. */
  readonly isLocked: () => boolean;
}

/**
 * Judges whether the daemon that has a history is gone. It goes by changes that it sees and by a clock that never steps,
 * so that no clock of any host has a say. Time in which the standby itself did not look, as it was stopped or the whole
 * machine slept, is no silence of the other one.
 */
export class SilenceJudge {
  #beat: bigint | undefined;
  #silentMs = 0;
  #lookedMs: number | undefined;

  /**
   * Takes a look.
   *
   * @param nowMs milliseconds by a clock that never steps.
   * @returns how the history can be taken over; undefined while the other one has it.
   */
  judge({ beat, isLocked }: SeenLock, nowMs: number): 'free' | 'held' | undefined {
    const sinceMs = this.#lookedMs === undefined ? 0 : nowMs - this.#lookedMs;
    this.#lookedMs = nowMs;
    if (beat !== this.#beat) {
      this.#beat = beat;
      this.#silentMs = 0;
      return undefined;
    }
    this.#silentMs += Math.min(sinceMs, 2 * lookEveryMs);
    if (this.#silentMs < freeAfterMs) return undefined;
    if (!isLocked()) return 'free';
    return this.#silentMs >= heldAfterMs ? 'held' : undefined;
  }

  /** Begins anew, after a takeover that failed. */
  rest(): void {
    this.#silentMs = 0;
  }
}
