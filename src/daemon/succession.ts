import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { resolveLinks } from '../history/file/alias.ts';
import { isLocked, readBeat } from '../history/file/lock.ts';
import { findStoppedWriter, type Takeover } from '../history/file/owner.ts';
import type { Logger } from '../log/logger.ts';
import { secondMs } from '../resources/duration.ts';
import { isNamed } from '../thread/sent-error.ts';
import { takeoverWork } from './repeated-work.ts';
import { Watching, type WatchingOptions } from './watching.ts';

/** A process that was killed is gone after so long, and what it held is free. */
const endingMs = 200;

/** Opens the history to be written; as a standby where another daemon has it and this one may wait. */
export async function openWatching(config: Config, options: WatchingOptions): Promise<Watching> {
  try {
    return await Watching.open(config, options, { kind: 'active' });
  } catch (error) {
    if (!config.history.standby || !isNamed(error, 'HistoryInUse')) throw error;
    options.log.info({ history: config.history.file }, 'standing by: another daemon has the history');
    return Watching.open(config, options, { kind: 'standby' });
  }
}

/**
 * Takes the history that a standby waits for.
 *
 * @returns undefined where that failed: the other one may have it after all.
 */
export async function tryTakeOver(
  { config }: Watching,
  options: WatchingOptions,
  takeover: Takeover,
): Promise<Watching | undefined> {
  const { log, problems } = options;
  const open = () => Watching.open(config, options, { kind: 'active', takeover });
  try {
    const active = await open().catch(async error => {
      if (takeover === 'free' || !endStoppedWriter(config, log)) throw error;
      await sleep(endingMs);
      return open();
    });
    const takeovers = active.history.shown.takeovers ?? 0;
    log.warn({ history: config.history.file, lock: takeover, takeovers }, 'took the history over');
    problems.succeed(takeoverWork, {});
    return active;
  } catch (error) {
    problems.fail(takeoverWork, {}, error);
    return undefined;
  }
}

/** @returns whether there was one to be ended; its half of a transaction is taken back by SQLite. */
function endStoppedWriter({ history }: Config, log: Logger): boolean {
  const pid = findStoppedWriter(history.file);
  if (pid === undefined) return false;
  log.warn({ pid }, 'ending a daemon that is stopped in the midst of writing the history');
  process.kill(pid, 'SIGKILL');
  return true;
}

/** Whether another daemon took the history from this one, and this one may wait for it. */
export function mayStepDown({ history }: Config, error: unknown): boolean {
  return history.standby && isNamed(error, 'HistoryTakenOver');
}

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
