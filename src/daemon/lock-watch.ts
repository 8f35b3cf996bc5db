import { resolveLinks } from '../history/file/alias.ts';
import { isLocked } from '../history/file/lock.ts';
import { readBeat } from '../history/file/lock-beat.ts';
import type { Takeover } from '../history/file/owner.ts';
import { lookEveryMs, SilenceJudge } from './silence-judge.ts';

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
