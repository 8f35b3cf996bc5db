import { beforeAll, expect, test } from 'vitest';
import { type BacktestCase, backtest, forecastAgain, summarize } from '../../src/cost/forecast/backtest.ts';
import { forecastUse } from '../../src/cost/forecast/forecast.ts';
import { hourClockOf, rollForecasts } from '../../src/cost/forecast/rolling-forecast.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { accountKinds } from '../quality/account-kind.ts';
import { recallUse } from '../quality/account-record.ts';
import { forecastDaily, forecastMonth, listWorseDays } from '../quality/forecast-quality.ts';
import { forecastFleets, inventFleet } from '../quality/invented-fleet.ts';
import { renderPercent, seedsFrom } from '../quality/quality-table.ts';
import { simulateAccount } from '../quality/simulated-account.ts';
import { accountOf } from './hourly-account.ts';

/** None of these was used to choose a constant. */
const seeds = seedsFrom(1, 60);
const casesByKind = new Map<string, readonly BacktestCase[]>();

beforeAll(() => {
  for (const { name, create } of accountKinds) {
    casesByKind.set(
      name,
      seeds.flatMap(seed => forecastMonth(create(seed))),
    );
  }
}, 180_000);

test.for(accountKinds)('forecasts of $name are less wrong than the run rate', ({ name }) => {
  const cases = casesByKind.get(name) ?? [];
  expect(cases.length).toBeGreaterThan(340);
  for (const part of [cases, cases.filter(({ daysElapsed }) => daysElapsed >= 15)]) {
    const { meanError, runRateMeanError } = summarize(part);
    expect(meanError).toBeLessThan(0.9 * runRateMeanError);
  }
});

test('over all seeds and moments the bounds hold about as often as they say', () => {
  const { coverage80, coverage95, meanError, runRateMeanError, forecasts } = summarize(
    [...casesByKind.values()].flat(),
  );
  const figures = [meanError, runRateMeanError, coverage80, coverage95].map(renderPercent).join(', ');
  console.info(
    `${forecasts} forecasts: mean error, that of the run rate, within 80 %, within 95 %: ${figures}`,
  );
  expect(coverage80).toBeGreaterThanOrEqual(0.7);
  expect(coverage80).toBeLessThanOrEqual(0.9);
  expect(coverage95).toBeGreaterThanOrEqual(0.88);
  expect(coverage95).toBeLessThanOrEqual(0.99);
});

test.for(forecastFleets)(
  'over $name fleets they are better than the mean of the last four same weekdays on every day of a month',
  kind => {
    const cases = seedsFrom(1, 100).flatMap(seed => forecastDaily(inventFleet(kind, seed)));
    expect(listWorseDays(cases)).toEqual([]);
  },
);

test('peaks that came with the ends of two months are expected with the next', () => {
  const closing = forecastFleets.filter(({ closesMonths }) => closesMonths);
  const cases = closing.flatMap(kind =>
    seeds.slice(0, 30).flatMap(seed => forecastMonth(inventFleet(kind, seed))),
  );
  const late = summarize(cases.filter(({ daysElapsed }) => daysElapsed === 25));
  expect(late.forecasts).toBe(30);
  // Without them it was off by 8 %, and within the bounds in one case of three.
  expect(late.meanError).toBeLessThan(0.045);
  expect(late.coverage80).toBeGreaterThanOrEqual(0.75);
});

test('a forecast made again of the past is the one that was made then', () => {
  const record = simulateAccount(4);
  const days = record.monthDays;
  const past = rollForecasts(recallUse(record), hourClockOf('UTC'));
  const again = forecastAgain(past, { daysAgo: 0, days, daysElapsed: 20 });
  const origin = record.hourCount - (days - 20) * 24;
  const then = rollForecasts(recallUse(record, origin), hourClockOf('UTC'));
  const made = forecastUse(then, record.firstHourAt + record.hourCount * hourMs);
  const usedBefore = (hour: number) => past.usedBefore[hour] ?? 0;
  const usedSoFar = usedBefore(origin) - usedBefore(record.hourCount - days * 24);
  expect(made?.expected).toBeGreaterThan(0);
  expect(again?.expected).toBeCloseTo(usedSoFar + (made?.expected ?? 0), 3);
  expect(again?.low95).toBeCloseTo(usedSoFar + (made?.low95 ?? 0), 3);
  expect(again?.high80).toBeCloseTo(usedSoFar + (made?.high80 ?? 0), 3);
});

test('a backtest says how wrong forecasts and the run rate were', () => {
  // A compute hour an hour from Monday to Friday: 432,000 CU-seconds in any seven days.
  const use = accountOf(12 * 168, hour => (hour % 168 < 120 ? 3600 : 0));
  const found = backtest(rollForecasts(use, hourClockOf('UTC')), 7);
  // Six moments of each of the 78 weeks that fit into 84 days, but the one that is less than two days after the beginning.
  expect(found?.forecasts).toBe(467);
  // The run rate after 1 to 6 days, on average over the seven weekdays to begin with, is wrong by
  // 4/7, 3.2/7, 2.4/7, 1.8/7, 1.28/7 and 0.67/7 of the week: after one day five times by 0.4 and twice by 1.
  expect(found?.runRateMeanError).toBeCloseTo(0.318, 2);
  expect(found?.meanError).toBeLessThan(0.06);
});

test('an account that never varies is forecast without error', () => {
  const found = backtest(
    rollForecasts(
      accountOf(8 * 168, () => 700),
      hourClockOf('UTC'),
    ),
    31,
  );
  expect(found?.meanError).toBeCloseTo(0, 9);
  expect(found?.runRateMeanError).toBeCloseTo(0, 9);
  expect(found).toMatchObject({ coverage80: 1, coverage95: 1 });
});

test('there is nothing to test a forecast on in the first days', () => {
  const testAfter = (hours: number) =>
    backtest(
      rollForecasts(
        accountOf(hours, () => 700),
        hourClockOf('UTC'),
      ),
      31,
    );
  expect(testAfter(48)).toBeUndefined();
  expect(testAfter(72)?.forecasts).toBeGreaterThan(0);
});
