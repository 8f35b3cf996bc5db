import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { LoopDelay } from '../../src/metrics/self/loop-delay.ts';

afterEach(() => vi.useRealTimers());

function openLoopDelay(): LoopDelay {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const delay = new LoopDelay();
  onTestFinished(() => delay.close());
  return delay;
}

/** Shown as up to ten milliseconds less: that long may have passed since the last look when it begins. */
async function block(durationMs: number): Promise<void> {
  // The histogram starts with its first look.
  await sleep(30);
  const endAt = performance.now() + durationMs;
  while (performance.now() < endAt);
  await sleep(30);
}

it('the delay of the event loop shows what blocked it', async () => {
  const delay = openLoopDelay();
  await block(135);
  expect(delay.read().maxSeconds).toBeGreaterThan(0.1);
  expect(delay.read().p99Seconds).toBeLessThanOrEqual(delay.read().maxSeconds);
});

it('a full minute is shown until the next one is full, to every scraper the same', async () => {
  const delay = openLoopDelay();
  // Longer than a busy machine keeps this process waiting in the next minute.
  await block(2000);
  vi.advanceTimersByTime(60_000);
  const figures = delay.read();
  expect(figures.maxSeconds).toBeGreaterThan(1.9);
  await block(10);
  expect(delay.read()).toEqual(figures);
  vi.advanceTimersByTime(60_000);
  expect(delay.read().maxSeconds).toBeLessThan(1.5);
});
