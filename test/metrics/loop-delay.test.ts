import { createHistogram } from 'node:perf_hooks';
import { afterEach, expect, it, onTestFinished, vi } from 'vitest';
import { LoopDelay } from '../../src/metrics/self/loop-delay.ts';

afterEach(() => vi.useRealTimers());

/** A delay whose minutes pass when they are told to, with looks at the clock that many milliseconds apart. */
function openLoopDelay() {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  const looks = createHistogram();
  const delay = new LoopDelay(Object.assign(looks, { enable: () => true, disable: () => true }));
  onTestFinished(() => delay.close());
  const look = (...apartMs: readonly number[]) => {
    for (const ms of apartMs) looks.record(ms * 1_000_000);
  };
  return { delay, look, passMinute: () => vi.advanceTimersByTime(60_000) };
}

it('the delay of the event loop is what a look came later than it was due', () => {
  const { delay, look } = openLoopDelay();
  expect(delay.read()).toEqual({ p99Seconds: 0, maxSeconds: 0 });
  look(...Array(199).fill(10), 145);
  expect(delay.read().maxSeconds).toBeCloseTo(0.135, 3);
  expect(delay.read().p99Seconds).toBeCloseTo(0, 3);
  look(30, 30, 30);
  expect(delay.read().p99Seconds).toBeCloseTo(0.02, 3);
});

it('a full minute is shown until the next one is full, to every scraper the same', () => {
  const { delay, look, passMinute } = openLoopDelay();
  look(2010);
  passMinute();
  const figures = delay.read();
  expect(figures.maxSeconds).toBeCloseTo(2, 2);
  look(20);
  expect(delay.read()).toEqual(figures);
  passMinute();
  expect(delay.read().maxSeconds).toBeCloseTo(0.01, 3);
});

it('what blocks this thread is noticed', async () => {
  const delay = new LoopDelay();
  onTestFinished(() => delay.close());
  await vi.waitFor(
    () => {
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
      expect(delay.read().maxSeconds).toBeGreaterThan(0.03);
    },
    { timeout: 30_000, interval: 1 },
  );
});
