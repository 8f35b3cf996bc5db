import { describe, expect, test } from 'vitest';
import type { CpuCounter } from '../../src/history/ledger/cpu-counter.ts';
import { countUsage, isOfPeriodBefore } from '../../src/history/ledger/usage-counter.ts';
import { day, minute, startAt } from '../support/reading-builder.ts';

const hour = 60 * minute;
const limits = { bornAt: startAt - 30 * day, mostCu: () => 2 };
/** The period began ten days before the readings do. */
const period = startAt - 10 * day;

interface Read {
  readonly atMinute: number;
  readonly sec: number;
  readonly periodStartAt?: number;
}

/** Counts readings from what the list had come to, if it had. */
function count(listed: CpuCounter | undefined, ...readings: readonly Read[]) {
  let counter = listed;
  let isOwn = false;
  let periodStartAt: number | undefined;
  let believedAt: number = listed?.lastAt ?? limits.bornAt;
  for (const { atMinute, sec, periodStartAt: told } of readings) {
    const at = startAt + atMinute * minute;
    const value = { sec, at, believedAt, ...(told !== undefined && { periodStartAt: told }) };
    const counted = countUsage({ counter, isOwn, periodStartAt }, value, limits);
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
    expect(count(undefined, { atMinute: 0, sec: 900, periodStartAt: period })).toEqual({
      totalSec: 900,
      resets: 0,
    });
    const value = { sec: 900, at: startAt, believedAt: limits.bornAt, periodStartAt: period };
    const { counted } = countUsage({ counter: undefined, isOwn: false }, value, limits);
    expect(counted.map(({ believedAt }) => believedAt)).toEqual([period]);
  });

  test.each([0, 650, 700, 9000, 4e9])('goes on from where the list came to, without a step: %d', sec => {
    expect(count(listed, { atMinute: 0, sec })).toEqual({ totalSec: 5000, resets: 3 });
    expect(count(listed, { atMinute: 0, sec }, { atMinute: 1, sec: sec + 60 })).toEqual({
      totalSec: 5060,
      resets: 3,
    });
  });

  test('counts whole at once when its period began anew, whatever it comes to', () => {
    const next = startAt + hour;
    const before = { atMinute: 0, sec: 900, periodStartAt: period };
    for (const sec of [30, 3500]) {
      const after = { atMinute: 120, sec, periodStartAt: next };
      expect(count(undefined, before, after)).toEqual({ totalSec: 900 + sec, resets: 1 });
      expect(count(undefined, before, after, { ...after, atMinute: 121 })).toEqual({
        totalSec: 900 + sec,
        resets: 1,
      });
    }
  });

  test('of a replica that still tells of the period before counts nothing', () => {
    const first = { atMinute: 0, sec: 900, periodStartAt: period };
    const turned = { atMinute: 61, sec: 30, periodStartAt: startAt + hour };
    const behind = { ...first, atMinute: 62, sec: 910 };
    expect(count(undefined, first, turned, behind, { ...turned, atMinute: 63, sec: 40 })).toEqual({
      totalSec: 940,
      resets: 1,
    });
  });

  test('is not counted twice when its period is moved and nothing is set back', () => {
    const first = { atMinute: 0, sec: 90_000, periodStartAt: period };
    const moved = { atMinute: 10, sec: 90_060, periodStartAt: startAt + 9 * minute };
    const same = { atMinute: 20, sec: 90_060, periodStartAt: startAt + 19 * minute };
    expect(count(undefined, first, moved, same)).toEqual({ totalSec: 90_060, resets: 0 });
  });

  test('is still counted when a period that was told turns out to be of a later time than the true one', () => {
    const wrong = { atMinute: 0, sec: 900, periodStartAt: startAt - 2 * day };
    const right = { atMinute: 10, sec: 960, periodStartAt: startAt - 9 * day };
    expect(count(undefined, wrong, right, { ...right, atMinute: 20, sec: 1000 })).toEqual({
      totalSec: 1000,
      resets: 0,
    });
  });

  test('without a period is counted as the list is: a fall is a reset once another reading confirms it', () => {
    const readings = [900, 20, 20, 50].map((sec, index) => ({ atMinute: index, sec }));
    expect(count(undefined, ...readings.slice(0, 2))).toEqual({ totalSec: 900, resets: 0 });
    expect(count(undefined, ...readings)).toEqual({ totalSec: 950, resets: 1 });
  });

  test('that nobody can have used is held back', () => {
    expect(count(undefined, { atMinute: 0, sec: 900 }, { atMinute: 1, sec: 9e12 })).toEqual({
      totalSec: 900,
      resets: 0,
    });
  });
});
