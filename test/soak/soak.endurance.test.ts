import { expect, test } from 'vitest';
import { slopeOf, soak } from './soak.ts';
import { describeSoak, listFaults } from './verdict.ts';

test('the slope of a line is found, whatever noise is on both sides of it', () => {
  const noisy = Array.from({ length: 100 }, (_, x) => [x, 5 + 2 * x + (x % 2 === 0 ? 1 : -1)] as const);
  expect(slopeOf(noisy)).toBeCloseTo(2, 2);
});

test.runIf(process.platform === 'linux')(
  'two days of a hundred projects with faults: memory is flat, the history as large as planned, no counter off',
  async () => {
    const result = await soak({
      ...{ projects: 100, days: 2, seed: 1 },
      ...{ stepHours: 2, stepMs: 1500, requestsPerMinute: 12_000, idleRefreshSeconds: 8, heapMebibytes: 128 },
    });
    process.stdout.write(`${describeSoak(result)}\n`);
    expect(listFaults(result)).toEqual([]);
    expect(result.faults).toBeGreaterThan(10);
  },
  600_000,
);
