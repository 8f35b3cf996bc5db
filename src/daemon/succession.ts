import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config/config.ts';
import { findStoppedWriter, type Takeover } from '../history/file/owner.ts';
import type { Logger } from '../log/logger.ts';
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
    const takeovers = active.history.takeovers ?? 0;
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
