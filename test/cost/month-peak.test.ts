import { expect, test } from 'vitest';
import { forecastUse } from '../../src/cost/forecast/forecast.ts';
import { turnsOfHours, utcTurnOf, zoneTurnOf } from '../../src/cost/forecast/month-turn.ts';
import { hourClockOf, learnMonthPeaks, rollForecasts } from '../../src/cost/forecast/rolling-forecast.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { accountOf, dayMs, monday } from './hourly-account.ts';

test('the last three days of a month and the first two of the next are about its end', () => {
  const turnsFrom = (from: string, turnOf = utcTurnOf) =>
    Array.from({ length: 8 }, (_, day) => turnOf(Date.parse(from) + day * dayMs));
  expect(turnsFrom('2026-02-25T23:59Z')).toEqual([0, -3, -2, -1, 1, 2, 0, 0]);
  expect(turnsFrom('2028-02-26T00:00Z')).toEqual([0, -3, -2, -1, 1, 2, 0, 0]);
  expect(turnsFrom('2026-12-28T12:00Z')).toEqual([0, -3, -2, -1, 1, 2, 0, 0]);
  expect(turnsFrom('2026-12-28T12:00Z', zoneTurnOf('Pacific/Kiritimati'))).toEqual([
    -3, -2, -1, 1, 2, 0, 0, 0,
  ]);
});

test('the days of UTC are the same by both ways to tell them', () => {
  const unlikeUtc = zoneTurnOf('Etc/UTC');
  for (let day = 0; day < 3 * 366; day += 1) {
    const at = Date.UTC(2027, 0, 1, day % 24) + day * dayMs;
    expect(unlikeUtc(at), new Date(at).toISOString()).toBe(utcTurnOf(at));
  }
});

/** From the second of March on; three times as much on the last two days of each month of `peaks`. */
function accountWith(days: number, peaks: readonly number[]) {
  return accountOf(days * 24, hour => {
    const at = monday + hour * hourMs;
    const isPeak = [-1, -2].includes(utcTurnOf(at)) && peaks.includes(new Date(at).getUTCMonth());
    return isPeak ? 3000 : 1000;
  });
}

function peaksOf(days: number, months: readonly number[]) {
  const { usedBefore } = rollForecasts(accountWith(days, months), hourClockOf('UTC'));
  return [...learnMonthPeaks(usedBefore, turnsOfHours(monday, days * 24, utcTurnOf), days * 24)];
}

test('a peak is one once it came with the ends of two months', () => {
  // The tenth of May: the ends of March and April are known.
  expect(peaksOf(70, [2, 3])).toEqual([
    [-2, expect.closeTo(3, 9)],
    [-1, expect.closeTo(3, 9)],
  ]);
  expect(peaksOf(70, [2])).toEqual([]);
  expect(peaksOf(70, [3])).toEqual([]);
  expect(peaksOf(70, [])).toEqual([]);
  // The tenth of April.
  expect(peaksOf(40, [2])).toEqual([]);
});

test('a month is forecast with its peak, and the days after one without', () => {
  const expectedFrom = (days: number, peaks: readonly number[]) => {
    const past = rollForecasts(accountWith(days, peaks), hourClockOf('UTC'));
    const until = (at: number) => forecastUse(past, at)?.expected ?? 0;
    return { toEnd: until(Date.parse('2026-06-01')) / 24, oneDay: until(monday + (days + 1) * dayMs) / 24 };
  };
  // From the eleventh of May on: 21 days, and two of them count three times.
  expect(expectedFrom(70, [2, 3]).toEnd).toBeCloseTo(25_000, -2);
  // The day after the end of April, which would else be taken for a new level.
  expect(expectedFrom(62, [2, 3]).oneDay).toBeCloseTo(1000, -1);
});
