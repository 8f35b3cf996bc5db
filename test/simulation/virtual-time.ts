import { AsyncResource } from 'node:async_hooks';
import { vi } from 'vitest';
import { Life } from './life.ts';

const nextTurn = globalThis.setImmediate;
/** Turns of the loop without a sign of activity after which nothing is under way. */
const quietTurns = 4;

let activity = 0;

/** Tells that something goes on that no timer shows, such as a message on its way. */
export function noteActivity(): void {
  activity += 1;
}

/**
 * Begins time that passes only in `passTimeUntil`. Timers, dates and `performance.now` go by it. A timer of a life ends with
 * that life.
 *
 * @param now epoch milliseconds at the start.
 */
export function beginVirtualTime(now: number): void {
  vi.useFakeTimers({
    now,
    toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval', 'Date', 'performance'],
    fakeNodeBuiltins: true,
  });
  const { setTimeout: once, setInterval: again } = globalThis;
  vi.stubGlobal('setTimeout', (work: () => void, ms?: number) => {
    const life = Life.current;
    const timer = once(
      AsyncResource.bind(() => {
        forget?.();
        work();
      }),
      ms,
    );
    const forget = life?.onEnd(() => clearTimeout(timer));
    return timer;
  });
  vi.stubGlobal('setInterval', (work: () => void, ms?: number) => {
    const timer = again(AsyncResource.bind(work), ms);
    Life.current?.onEnd(() => clearInterval(timer));
    return timer;
  });
}

export function endVirtualTime(): void {
  vi.unstubAllGlobals();
  vi.useRealTimers();
}

/** Lets time pass, timer after timer, each followed by all that it leads to, until some work is done. */
export async function passTimeUntil<Result>(work: Promise<Result>): Promise<Result> {
  let isOver = false;
  const end = () => {
    isOver = true;
  };
  work.then(end, end);
  await settle();
  while (!isOver) {
    if (vi.getTimerCount() === 0) throw new Error('what is waited for never comes: no timer is left');
    vi.advanceTimersToNextTimer();
    await settle();
  }
  return work;
}

/** Resolves when nothing goes on any more before time passes. */
async function settle(): Promise<void> {
  for (let quiet = 0, seen = activity; quiet < quietTurns; quiet += 1) {
    await new Promise<void>(resolve => nextTurn(resolve));
    if (activity === seen) continue;
    seen = activity;
    quiet = 0;
  }
}
