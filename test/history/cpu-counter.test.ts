import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { type CpuCounter, countCpu } from '../../src/history/ledger/cpu-counter.ts';
import { countUsage, isOfPeriodBefore } from '../../src/history/ledger/usage-counter.ts';
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

const periodLimits = { bornAt: startAt - 30 * day, mostCu: () => 2 };
/** The period began ten days before the readings do. */
const period = startAt - 10 * day;

interface Read {
  readonly atMinute: number;
  readonly sec: number;
  readonly periodStartAt?: number;
}

/** Counts readings from what the list had come to, if it had. */
function countUse(listed: CpuCounter | undefined, ...readings: readonly Read[]) {
  let counter = listed;
  let isOwn = false;
  let periodStartAt: number | undefined;
  let believedAt: number = listed?.lastAt ?? periodLimits.bornAt;
  for (const { atMinute, sec, periodStartAt: told } of readings) {
    const at = startAt + atMinute * minute;
    const value = { sec, at, believedAt, ...(told !== undefined && { periodStartAt: told }) };
    const counted = countUsage({ counter, isOwn, periodStartAt }, value, periodLimits);
    if (!isOfPeriodBefore({ periodStartAt }, value)) periodStartAt = told ?? periodStartAt;
    if (!counted.isImplausible && counted.counter?.doubt?.held === undefined) believedAt = at;
    counter = counted.counter;
    isOwn = true;
  }
  return counter && { totalSec: counter.totalSec, resets: counter.resets };
}

const listed: CpuCounter = { lastSec: 700, lastAt: startAt - hour, totalSec: 5000, resets: 3 };

describe('compute_time_seconds', () => {
  test('of a project never counted counts whole, as use since its period began', () => {
    expect(countUse(undefined, { atMinute: 0, sec: 900, periodStartAt: period })).toEqual({
      totalSec: 900,
      resets: 0,
    });
    const value = { sec: 900, at: startAt, believedAt: periodLimits.bornAt, periodStartAt: period };
    const { counted } = countUsage({ counter: undefined, isOwn: false }, value, periodLimits);
    expect(counted.map(({ believedAt }) => believedAt)).toEqual([period]);
  });

  test.each([0, 650, 700, 9000, 4e9])('goes on from where the list came to, without a step: %d', sec => {
    expect(countUse(listed, { atMinute: 0, sec })).toEqual({ totalSec: 5000, resets: 3 });
    expect(countUse(listed, { atMinute: 0, sec }, { atMinute: 1, sec: sec + 60 })).toEqual({
      totalSec: 5060,
      resets: 3,
    });
  });

  test('counts whole at once when its period began anew, whatever it comes to', () => {
    const next = startAt + hour;
    const before = { atMinute: 0, sec: 900, periodStartAt: period };
    for (const sec of [30, 3500]) {
      const after = { atMinute: 120, sec, periodStartAt: next };
      expect(countUse(undefined, before, after)).toEqual({ totalSec: 900 + sec, resets: 1 });
      expect(countUse(undefined, before, after, { ...after, atMinute: 121 })).toEqual({
        totalSec: 900 + sec,
        resets: 1,
      });
    }
  });

  test('of a replica that still tells of the period before counts nothing', () => {
    const first = { atMinute: 0, sec: 900, periodStartAt: period };
    const turned = { atMinute: 61, sec: 30, periodStartAt: startAt + hour };
    const behind = { ...first, atMinute: 62, sec: 910 };
    expect(countUse(undefined, first, turned, behind, { ...turned, atMinute: 63, sec: 40 })).toEqual({
      totalSec: 940,
      resets: 1,
    });
  });

  test('is not counted twice when its period is moved and nothing is set back', () => {
    const first = { atMinute: 0, sec: 90_000, periodStartAt: period };
    const moved = { atMinute: 10, sec: 90_060, periodStartAt: startAt + 9 * minute };
    const same = { atMinute: 20, sec: 90_060, periodStartAt: startAt + 19 * minute };
    expect(countUse(undefined, first, moved, same)).toEqual({ totalSec: 90_060, resets: 0 });
  });

  test('is still counted when a period that was told turns out to be of a later time than the true one', () => {
    const wrong = { atMinute: 0, sec: 900, periodStartAt: startAt - 2 * day };
    const right = { atMinute: 10, sec: 960, periodStartAt: startAt - 9 * day };
    expect(countUse(undefined, wrong, right, { ...right, atMinute: 20, sec: 1000 })).toEqual({
      totalSec: 1000,
      resets: 0,
    });
  });

  test('without a period is counted as the list is: a fall is a reset once another reading confirms it', () => {
    const readings = [900, 20, 20, 50].map((sec, index) => ({ atMinute: index, sec }));
    expect(countUse(undefined, ...readings.slice(0, 2))).toEqual({ totalSec: 900, resets: 0 });
    expect(countUse(undefined, ...readings)).toEqual({ totalSec: 950, resets: 1 });
  });

  test('that nobody can have used is held back', () => {
    expect(countUse(undefined, { atMinute: 0, sec: 900 }, { atMinute: 1, sec: 9e12 })).toEqual({
      totalSec: 900,
      resets: 0,
    });
  });
});
