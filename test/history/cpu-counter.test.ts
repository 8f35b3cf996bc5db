import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CpuCounter, countCpu } from '../../src/history/ledger/cpu-counter.ts';
import { minute, startAt } from '../support/reading-builder.ts';

/** Readings of `cpu_used_sec` as pairs of minutes since the start and seconds. */
function count(...readings: readonly (readonly [atMinute: number, reportedSec: number])[]) {
  return readings.reduce<CpuCounter | undefined>(
    (counter, [atMinute, sec]) => countCpu(counter, sec, startAt + atMinute * minute),
    undefined,
  );
}

test('the first value counts whole', () => {
  expect(count([0, 5400])).toMatchObject({ totalSec: 5400, resets: 0 });
});

test('growth is added, and the same value again adds nothing', () => {
  expect(count([0, 100], [1, 150], [2, 150], [3, 160])).toMatchObject({ totalSec: 160, resets: 0 });
});

test('a reset by the service counts what was used since, whole', () => {
  expect(count([0, 1000], [1, 0], [2, 40])).toMatchObject({ totalSec: 1040, resets: 1 });
  expect(count([0, 1000], [1, 40], [2, 50], [3, 10])).toMatchObject({ totalSec: 1060, resets: 2 });
});

test('a replica that is slightly behind for a while adds nothing, and nothing twice', () => {
  expect(count([0, 1000], [1, 950], [2, 1000], [3, 960], [4, 1010])).toMatchObject({
    totalSec: 1010,
    resets: 0,
  });
});

test('a value still slightly lower after 15 minutes was a reset after all', () => {
  expect(count([0, 1000], [1, 950], [14, 960])).toMatchObject({ totalSec: 1000, resets: 0 });
  expect(count([0, 1000], [1, 950], [15, 960])).toMatchObject({ totalSec: 1960, resets: 1 });
});

test('a value lower by a tenth or more is a reset at once', () => {
  expect(count([0, 1000], [1, 900])).toMatchObject({ totalSec: 1900, resets: 1 });
});

test('fractions do not round the sum below what it was', () => {
  expect(count([0, 0.6], [1, 0.4], [2, 0.4])?.totalSec).toBeGreaterThanOrEqual(1);
});

test('the counter never decreases, whatever is reported and whenever', () => {
  const reading = fc.tuple(
    fc.oneof(fc.nat(50), fc.nat(100_000), fc.double({ min: 0, max: 2 ** 53, noNaN: true })),
    fc.integer({ min: -20, max: 40 }),
  );
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 40 }), readings => {
      let counter: CpuCounter | undefined;
      let at = startAt;
      for (const [reportedSec, laterMinutes] of readings) {
        at += laterMinutes * minute;
        const before = counter;
        counter = countCpu(counter, reportedSec, at);
        expect(counter.totalSec).toBeGreaterThanOrEqual(before?.totalSec ?? 0);
        expect(counter.resets).toBeGreaterThanOrEqual(before?.resets ?? 0);
      }
    }),
    { numRuns: 300 },
  );
});
