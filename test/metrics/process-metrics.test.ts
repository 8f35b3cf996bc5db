import { expect, it } from 'vitest';
import { ProcessMetrics } from '../../src/metrics/self/process-metrics.ts';

it('what is measured of the process is read once a second, however many scrapes there are', async () => {
  const clock = { now: 5000 };
  const process = new ProcessMetrics(() => clock.now);
  const first = await process.read();
  expect(first.map(({ name }) => name)).toContain('process_cpu_seconds_total');
  clock.now = 5999;
  expect(await process.read()).toBe(first);
  clock.now = 6000;
  const second = await process.read();
  expect(second).not.toBe(first);
  expect(second.map(({ name }) => name)).toEqual(first.map(({ name }) => name));
});
