import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type CpuCounter, countCpu } from '../../src/history/ledger/cpu-counter.ts';
import { createRandom } from '../../src/simulator/model/random.ts';
import { day, minute, startAt } from '../support/reading-builder.ts';

const hour = 60 * minute;
const limits = { bornAt: startAt - 366 * day, mostCu: () => 7 };

/** A project whose list is read again and again. */
class Reader {
  counter: CpuCounter | undefined;
  #believedAt: number = limits.bornAt;

  read(at: number, sec: number): CpuCounter | undefined {
    const { counter, isImplausible } = countCpu(
      this.counter,
      { sec, at, believedAt: this.#believedAt },
      limits,
    );
    if (!isImplausible && counter?.doubt?.held === undefined) this.#believedAt = at;
    this.counter = counter;
    return counter;
  }
}

/** Readings of `cpu_used_sec` as pairs of minutes since the start and seconds. */
function count(...readings: readonly (readonly [atMinute: number, reportedSec: number])[]) {
  const reader = new Reader();
  for (const [atMinute, sec] of readings) reader.read(startAt + atMinute * minute, sec);
  return reader.counter;
}

test('the first value counts whole', () => {
  expect(count([0, 5400])).toMatchObject({ totalSec: 5400, resets: 0 });
});

test('growth is added, and the same value again adds nothing', () => {
  expect(count([0, 100], [1, 150], [2, 150], [3, 160])).toMatchObject({ totalSec: 160, resets: 0 });
});

test('a reset by the service counts what was used since, whole', () => {
  expect(count([0, 1000], [1, 0], [2, 40])).toMatchObject({ totalSec: 1040, resets: 1 });
  expect(count([0, 1000], [1, 40], [2, 50], [3, 10], [18, 10])).toMatchObject({ totalSec: 1060, resets: 2 });
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

test('a value that fell counts nothing before another one confirms that it was set back', () => {
  expect(count([0, 1000], [1, 0])).toMatchObject({ totalSec: 1000, resets: 0 });
  expect(count([0, 1000], [1, 40], [2, 30])).toMatchObject({ totalSec: 1000, resets: 0 });
  expect(count([0, 1000], [1, 40], [2, 30], [3, 35])).toMatchObject({ totalSec: 1035, resets: 1 });
});

test('a value that fell by more than it can have risen since it was set back lags', () => {
  expect(count([0, 1_000_000], [1, 400_000], [2, 400_000])).toMatchObject({ totalSec: 1_000_000, resets: 0 });
});

test('a value that fell and stays where nobody can have brought it counts as much as can have been used', () => {
  const corrected = count([0, 1_000_000], [1, 400_000], [20, 400_000]);
  expect(corrected).toMatchObject({ lastSec: 400_000, totalSec: 1_000_000 + 2 * 7 * 80 * 60, resets: 1 });
});

test('once a replica was seen to lag, a reset is believed after a quarter of an hour', () => {
  const lagged = [
    [0, 1000],
    [1, 850],
    [2, 1000],
  ] as const;
  expect(count(...lagged, [3, 0], [4, 40], [16, 60])).toMatchObject({ totalSec: 1000, resets: 0 });
  expect(count(...lagged, [3, 0], [4, 40], [17, 60])).toMatchObject({ totalSec: 1060, resets: 1 });
});

test('what was used since a reset counts even where it soon is more than before', () => {
  expect(count([0, 1000], [1, 10], [60, 1200])).toMatchObject({ totalSec: 2200, resets: 1 });
  expect(count([0, 1000], [1, 10], [1.5, 1200])).toMatchObject({ totalSec: 1200, resets: 0 });
});

test('a reset that turns out to be none is made up for by what is used later', () => {
  const back = [
    [0, 1000],
    [1, 40],
    [2, 50],
    [2.1, 1010],
  ] as const;
  expect(count(...back)).toMatchObject({ lastSec: 1010, totalSec: 1050, resets: 1 });
  expect(count(...back, [3, 1050])).toMatchObject({ totalSec: 1050 });
  expect(count(...back, [3, 1030], [4, 1070])).toMatchObject({ totalSec: 1070 });
  // The replica that lagged showed the time before a reset: that one is counted already.
  expect(count(...back, [3, 60], [20, 100])).toMatchObject({ totalSec: 1110, resets: 1 });
});

test('nobody can have used more than the endpoints can in the time', () => {
  expect(count([0, 1000], [1, 40_000])).toMatchObject({ totalSec: 40_000 });
  expect(count([0, 1000], [1, 40_000], [2, 9e12], [3, 40_100])).toMatchObject({
    totalSec: 40_100,
    resets: 0,
  });
  expect(count([0, 9e12])).toBeUndefined();
  expect(count([0, 9e12], [1, 100])).toMatchObject({ totalSec: 100 });
  // The time goes on from the last value that was believed.
  expect(count([0, 0], [600, 600_000], [601, 300])).toMatchObject({
    lastSec: 600_000 - 599_700,
    totalSec: 300,
  });
  expect(count([0, 0], [600, 600_000], [660, 600_000])).toMatchObject({ totalSec: 600_000 });
});

test('what was used is counted at once where the reading before was dated weeks too late', () => {
  const used = count([43 * 24 * 60, 400_000], [0, 600_000], [1, 600_000]);
  expect(used).toMatchObject({ totalSec: 600_000, resets: 0 });
  const garbage = count([43 * 24 * 60, 400_000], [0, 1e12]);
  expect(garbage).toMatchObject({ totalSec: 400_000, doubt: { held: { sec: 1e12 } } });
  const soonAfter = count([30, 400_000], [0, 600_000]);
  expect(soonAfter).toMatchObject({ totalSec: 400_000, doubt: { held: { sec: 600_000 } } });
});

test('fractions do not round the sum below what it was', () => {
  expect(count([0, 0.6], [1, 0.2], [2, 0.4])?.totalSec).toBeGreaterThanOrEqual(1);
});

test('the counter never decreases, whatever is reported and whenever', () => {
  const reading = fc.tuple(
    fc.oneof(fc.nat(50), fc.nat(100_000), fc.double({ min: 0, max: 2 ** 53, noNaN: true })),
    fc.integer({ min: -20, max: 40 }),
  );
  fc.assert(
    fc.property(fc.array(reading, { maxLength: 40 }), readings => {
      const reader = new Reader();
      let at = startAt;
      for (const [reportedSec, laterMinutes] of readings) {
        at += laterMinutes * minute;
        const { totalSec = 0, resets = 0 } = reader.counter ?? {};
        const after = reader.read(at, reportedSec);
        expect(after?.totalSec ?? 0).toBeGreaterThanOrEqual(totalSec);
        expect(after?.resets ?? 0).toBeGreaterThanOrEqual(resets);
      }
    }),
    { numRuns: 300 },
  );
});

/** A true series that is read every few minutes, with what it came to and what can be known of it by then. */
function* readings(seed: number) {
  const random = createRandom(seed, 'true series');
  let at = startAt;
  let endedSec = 0;
  const shown: { at: number; sec: number }[] = [{ at, sec: random.integer(100_000, 300_000) }];
  for (let period = 0; period < 3; period += 1) {
    let sec = period === 0 ? (shown[0]?.sec ?? 0) : 0;
    if (period > 0) shown.push({ at, sec });
    const endsAt = at + random.integer(25, 30) * hour;
    let cu = 0.25;
    while (at < endsAt) {
      const passedMs = random.integer(60, 300) * 1000;
      if (random.chance(0.1)) cu = random.pick([0.25, 1, 7]);
      at += passedMs;
      sec += Math.floor((cu * passedMs) / 1000);
      shown.push({ at, sec });
      // After a lag of minutes a replica shows even the period before; the last reading of each is of the moment.
      const isLate = at < endsAt && random.chance(0.5);
      const lagMs = isLate ? random.integer(1, 600) * 1000 : 0;
      const lagging = shown.findLast(value => value.at <= at - lagMs) ?? shown[0];
      yield { at, sec: lagging?.sec ?? 0, truth: endedSec + sec, resets: period, isSettled: false };
    }
    yield { at, sec, truth: endedSec + sec, resets: period, isSettled: period === 2 };
    endedSec += sec;
  }
}

test('however replicas lag, the counter never exceeds what was used, and equals it once readings settle', () => {
  fc.assert(
    fc.property(fc.integer(), seed => {
      const reader = new Reader();
      for (const { at, sec, truth, resets, isSettled } of readings(seed)) {
        const counter = reader.read(at, sec);
        expect(counter?.totalSec).toBeLessThanOrEqual(truth);
        if (isSettled) expect(counter).toMatchObject({ totalSec: truth, resets });
      }
    }),
    { numRuns: 40 },
  );
});
