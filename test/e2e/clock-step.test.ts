import { expect, onTestFinished, test, vi } from 'vitest';
import { readExposition, sampleValue } from '../support/exposition-reader.ts';
import { differences } from '../support/truth.ts';
import { startWorld } from './simulated-world.ts';
import { openSteppedClock } from './stepped-clock.ts';

const minuteMs = 60_000;
const dayMs = 1440 * minuteMs;
const patience = { timeout: 30_000, interval: 100 };
/** A busy machine needs a while for anything; a step that was walked through took from 3.5 s to minutes. */
const longestAnswerMs = 3000;

test('after every step of the host clock polling goes on, health is answered at once and no counter is off', async () => {
  const world = await startWorld({ projects: 3, historyDays: 1 });
  onTestFinished(() => world.close());
  const { env, step } = openSteppedClock(world.folder);
  const daemon = world.startDaemon(env);
  const url = await daemon.untilServing();
  const scrape = async () => readExposition(await (await fetch(`${url}/metrics`)).text());
  const untilTrue = () =>
    vi.waitFor(async () => expect(differences(await world.truth(), await scrape(), 1)).toEqual([]), patience);
  await untilTrue();
  for (const aheadMs of [-2 * minuteMs, -dayMs, dayMs, 31 * dayMs, 1096 * dayMs, 5]) {
    step(aheadMs);
    const steppedAt = performance.now();
    await vi.waitFor(async () => {
      const readAt = sampleValue(await scrape(), 'dbpm_collector_last_success_timestamp_seconds', {
        collector: 'projects',
      });
      expect(Math.abs((readAt ?? 0) * 1000 - Date.now() - aheadMs)).toBeLessThan(5000);
    }, patience);
    const askedAt = performance.now();
    expect((await fetch(`${url}/-/healthy`)).status).toBe(200);
    expect(performance.now() - askedAt).toBeLessThan(longestAnswerMs);
    expect(performance.now() - steppedAt).toBeLessThan(patience.timeout);
    await world.call('POST', '/advance', { seconds: 30 });
    await untilTrue();
  }
  const toldAt = performance.now();
  expect(await daemon.stop('SIGTERM')).toEqual({ code: 0, signal: null });
  expect(performance.now() - toldAt).toBeLessThan(10_000);
}, 240_000);
