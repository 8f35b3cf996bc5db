import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { forecastUse } from '../../src/cost/forecast/forecast.ts';
import { hourClockOf, rollForecasts } from '../../src/cost/forecast/rolling-forecast.ts';
import { utcSlotOf } from '../../src/cost/forecast/week-slot.ts';
import { hourMs } from '../../src/resources/duration.ts';
import type { HourlyUsage } from '../../src/resources/usage/hourly-usage.ts';
import { accountOf, dayMs, monday } from './hourly-account.ts';

const week = 7 * 24;

function forecastTo(use: HourlyUsage, untilAt: number, clock = hourClockOf('UTC')) {
  return forecastUse(rollForecasts(use, clock), untilAt);
}

test('an account that always uses the same is expected to go on with it', () => {
  const endAt = monday + 3 * week * hourMs;
  const use = accountOf(3 * week, () => 900);
  const forecast = forecastTo(use, endAt + 10 * dayMs);
  expect(forecast).toMatchObject({
    fromAt: endAt,
    untilAt: endAt + 10 * dayMs,
  });
  expect(forecast?.hours).toHaveLength(240);
  // 240 hours of 900 CU-seconds.
  expect(forecast?.expected).toBeCloseTo(216_000, 6);
});

test('two days are the least history a forecast is made from', () => {
  const forecastAfter = (hours: number) =>
    forecastTo(
      accountOf(hours, () => 900),
      monday + 30 * dayMs,
    );
  expect(forecastAfter(47)).toBeUndefined();
  expect(forecastAfter(48)).toBeDefined();
});

test('a period that is over has no forecast', () => {
  const use = accountOf(week, () => 900);
  expect(forecastTo(use, monday + week * hourMs)).toBeUndefined();
});

test('of the last hour only the part that belongs to the period is expected', () => {
  const use = accountOf(week, () => 900);
  const forecast = forecastTo(use, monday + week * hourMs + 1.5 * hourMs);
  expect(forecast?.hours[0]).toBeCloseTo(900, 6);
  expect(forecast?.hours[1]).toBeCloseTo(450, 6);
  expect(forecast?.expected).toBeCloseTo(1350, 6);
});

test('a weekend at the end of a month is not taken for working days', () => {
  const isWorkday = (hour: number) => hour % week < 5 * 24;
  const use = accountOf(6 * week, hour => (isWorkday(hour) ? 3600 : 0));
  const until = monday + 6 * week * hourMs;
  const workdays = forecastTo(use, until + 5 * dayMs)?.expected ?? 0;
  const wholeWeek = forecastTo(use, until + 7 * dayMs)?.expected ?? 0;
  // Five days of 24 compute hours; the weekend after them uses nothing, but a trace of the daily mean.
  expect(workdays / 432_000).toBeCloseTo(1, 1);
  expect((wholeWeek - workdays) / 432_000).toBeLessThan(0.02);
});

test('office hours stay office hours when the clocks change', () => {
  // Clocks of this place are set forward by an hour at the end of the fourth week.
  const changeAt = monday + 4 * week * hourMs;
  const slotOf = (at: number) => utcSlotOf(at + (at >= changeAt ? 2 : 1) * hourMs);
  const use = accountOf(4 * week, hour => ((hour + 1) % 24 === 9 ? 3600 : 0));
  const hours = forecastTo(use, changeAt + dayMs, { ...hourClockOf('UTC'), slotOf })?.hours ?? [];
  // 09:00 was 08:00 UTC and is 07:00 UTC from then on.
  expect(hours[7]).toBeCloseTo(3600, -2);
  expect(hours[8]).toBe(0);
});

test('one day that is out of all proportion hardly moves what is expected', () => {
  const wildDay = 20;
  const calm = accountOf(4 * week, () => 1000);
  const wild = accountOf(4 * week, hour => (Math.floor(hour / 24) === wildDay ? 50_000 : 1000));
  const untilAt = monday + 5 * week * hourMs;
  const ratio = (forecastTo(wild, untilAt)?.expected ?? 0) / (forecastTo(calm, untilAt)?.expected ?? 1);
  expect(ratio).toBeGreaterThan(0.99);
  // Believed, it would more than double the mean of the last weeks.
  expect(ratio).toBeLessThan(1.05);
});

test('a new level is followed within two weeks', () => {
  const use = accountOf(6 * week, hour => (hour < 4 * week ? 1000 : 3000));
  const hour = forecastTo(use, monday + 6 * week * hourMs + hourMs)?.expected;
  expect(hour).toBeGreaterThan(2400);
  expect(hour).toBeLessThan(3000);
});

test('a project of a few days adds its own use, in the rhythm of the others', () => {
  const isWorkday = (hour: number) => hour % week < 5 * 24;
  const settled = accountOf(4 * week + 72, hour => (isWorkday(hour) ? 1000 : 0));
  const bornAt = monday + 4 * week * hourMs;
  const hours = settled.steady.map((_, hour) => (hour < 4 * week ? 0 : 500));
  const use = { ...settled, young: [{ bornAt, hours }] };
  const saturdayAt = bornAt + 5 * dayMs;
  const expectedUntil = (account: HourlyUsage, at: number) => forecastTo(account, at)?.expected ?? 0;
  const added = (at: number) => expectedUntil(use, at) - expectedUntil(settled, at);
  // From Thursday on: two days of 500 an hour, then a weekend of less than a tenth of them.
  expect(added(saturdayAt)).toBeGreaterThan(23_000);
  expect(added(saturdayAt)).toBeLessThan(25_000);
  expect(added(saturdayAt + 2 * dayMs) - added(saturdayAt)).toBeLessThan(2400);
});

test('a project that is gone is not expected to use anything any more', () => {
  const settled = accountOf(3 * week, () => 1000);
  const goneAt = monday + 2.5 * week * hourMs;
  const hours = settled.steady.map((_, hour) => (hour < 2.5 * week ? 9000 : 0));
  const use = { ...settled, gone: [{ bornAt: monday - dayMs, goneAt, hours }] };
  const untilAt = monday + 4 * week * hourMs;
  expect(forecastTo(use, untilAt)?.expected).toBeCloseTo(forecastTo(settled, untilAt)?.expected ?? 0, 6);
});

test('bounds are wider where past forecasts were wrong', () => {
  const untilAt = monday + 10 * week * hourMs;
  const widthOf = (use: HourlyUsage) => {
    const { low80, high80, expected } = forecastTo(use, untilAt) ?? { low80: 0, high80: 0, expected: 1 };
    return (high80 - low80) / expected;
  };
  const even = accountOf(8 * week, () => 1000);
  const uneven = accountOf(8 * week, hour => (Math.floor(hour / (2 * week)) % 2 === 0 ? 500 : 1500));
  expect(widthOf(even)).toBeLessThan(0.2);
  expect(widthOf(uneven)).toBeGreaterThan(0.5);
});

describe('in its first weeks an account is forecast within bounds that', () => {
  const rhythms = [
    ['rests at weekends', (day: number) => (day % 7 < 5 ? 1000 : 30)],
    ['works at weekends', (day: number) => (day % 7 < 5 ? 300 : 1000)],
    ['never rests', () => 1000],
  ] as const;
  const days = 28;
  const shake = (hour: number) => 1 + 0.2 * Math.sin(hour * 12.9898);
  const outlookAfter = (knownDays: number, usedOn: (day: number) => number) => {
    const usedIn = (hour: number) => usedOn(Math.floor(hour / 24)) * shake(hour);
    const forecast = forecastTo(accountOf(knownDays * 24, usedIn), monday + days * dayMs);
    const came = Array.from({ length: (days - knownDays) * 24 }, (_, hour) => usedIn(knownDays * 24 + hour));
    const { low95: low = Number.NaN, high95: high = Number.NaN } = forecast ?? {};
    return { low, high, used: came.reduce((sum, used) => sum + used, 0) };
  };

  test.each(rhythms)('hold before a weekend was seen, if it %s', (_, usedOn) => {
    for (const knownDays of [2, 3, 4, 5]) {
      const { low, high, used } = outlookAfter(knownDays, usedOn);
      expect([low < used, used < high], `after ${knownDays} days`).toEqual([true, true]);
    }
  });

  test.each(rhythms)('are narrow once two weekends are known, if it %s', (_, usedOn) => {
    const { low, high, used } = outlookAfter(14, usedOn);
    expect([low < used, used < high]).toEqual([true, true]);
    // What was forecast before the first weekend was wrong for a reason that is gone.
    expect(high / low).toBeLessThan(3);
  });
});

test('bounds of the next minutes are no further away than a few times a factor of twenty', () => {
  const bursts = new Set([0, 25, 30]);
  const use = accountOf(72, hour => (bursts.has(hour) ? 25_200 : 0));
  const { high95 = Number.NaN, expected = Number.NaN } = forecastTo(use, monday + 72.2 * hourMs) ?? {};
  expect(high95 / expected).toBeLessThan(20 ** 5);
});

test('whatever was used, bounds are finite, in order and around what is expected', () => {
  const value = fc.oneof(fc.constant(0), fc.double({ min: 0, max: 25_200, noNaN: true }));
  fc.assert(
    fc.property(
      fc.array(value, { minLength: 48, maxLength: 700 }),
      fc.double({ min: 0.01, max: 1500, noNaN: true }),
      (values, ahead) => {
        const use = accountOf(values.length, hour => values[hour] ?? 0);
        const forecast = forecastTo(use, monday + (values.length + ahead) * hourMs);
        const { low95, low80, expected = Number.NaN, high80, high95 } = forecast ?? {};
        const row = [0, low95, low80, expected, high80, high95, 1e12];
        expect(row.toSorted((left, right) => (left ?? 0) - (right ?? 0))).toEqual(row);
        expect(row.every(Number.isFinite)).toBe(true);
      },
    ),
    { numRuns: 60 },
  );
});
