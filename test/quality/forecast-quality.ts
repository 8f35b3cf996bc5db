import { type BacktestCase, forecastAgain, summarize } from '../../src/cost/forecast/backtest.ts';
import { expectUse } from '../../src/cost/forecast/forecast.ts';
import {
  addUpHours,
  hourClockOf,
  placeHours,
  rollForecasts,
} from '../../src/cost/forecast/rolling-forecast.ts';
import { hoursPerDay, hoursPerWeek } from '../../src/cost/forecast/week-slot.ts';
import { hourMs } from '../../src/resources/duration.ts';
import { accountKinds } from './account-kind.ts';
import { type AccountRecord, recallUse } from './account-record.ts';
import { forecastFleets, inventFleet, watchedMonths } from './invented-fleet.ts';
import { type Measurement, type QualityTable, renderPercent } from './quality-table.ts';
import { recallLately } from './watched-budget.ts';

/** Days of a month after which its end is forecast. */
const elapsedDays = [3, 7, 10, 15, 20, 25] as const;

/** What was forecast of the month of an account after some days of it, as far as there was enough history. */
export function forecastMonth(record: AccountRecord): readonly BacktestCase[] {
  const past = rollForecasts(recallUse(record), hourClockOf('UTC'));
  return elapsedDays
    .map(daysElapsed => forecastAgain(past, { daysAgo: 0, days: record.monthDays, daysElapsed }))
    .filter(made => made !== undefined);
}

/** What a month was forecast to come to, and what it would be if all days were like those of the last weeks. */
export interface DailyCase {
  /** Days of the month that were over. */
  readonly daysElapsed: number;
  /** Parts of the month's use that the forecast, and the mean of the last four same weekdays, were off by. */
  readonly error: number;
  readonly weekdayError: number;
}

/** Each watched month of a fleet, as it was forecast at the end of each of its days but the last. */
export function forecastDaily(record: AccountRecord): readonly DailyCase[] {
  const usedBefore = addUpHours(recallUse(record));
  const usedIn = (from: number, until: number) => (usedBefore[until] ?? 0) - (usedBefore[from] ?? 0);
  return Array.from({ length: watchedMonths }, (_, month) => {
    const untilAt = Date.UTC(2026, month + 1, 1);
    const [from, until] = [Date.UTC(2026, month, 1), untilAt].map(at => (at - record.firstHourAt) / hourMs);
    if (from === undefined || until === undefined) return [];
    const used = usedIn(from, until);
    const days = (until - from) / hoursPerDay;
    return Array.from({ length: days - 1 }, (_, day): DailyCase => {
      const origin = from + (day + 1) * hoursPerDay;
      const errorOf = (rest: number) => Math.abs(usedIn(from, origin) + rest - used) / used;
      return {
        daysElapsed: day + 1,
        error: errorOf(forecastRest(record, origin, untilAt)),
        weekdayError: errorOf(repeatWeekdays(usedBefore, origin, until)),
      };
    });
  }).flat();
}

/** The use that is expected from an hour of a record until an instant. */
function forecastRest(record: AccountRecord, origin: number, untilAt: number): number {
  const use = recallLately(record, record.firstHourAt + origin * hourMs);
  const places = placeHours(use.firstHourAt, use.steady.length, hourClockOf('UTC'));
  const hours = expectUse({ use, ...places, usedBefore: addUpHours(use) }, untilAt);
  if (hours === undefined) throw new Error('there is too little history');
  return hours.reduce((sum, hour) => sum + hour, 0);
}

const repeatedWeeks = 4;

/**
 * The use of the days from one hour to another if each is the mean of the last four same weekdays, or of all days while none is
 * known.
 */
function repeatWeekdays(usedBefore: Float64Array, origin: number, until: number): number {
  const usedOn = (day: number) => (usedBefore[day + hoursPerDay] ?? 0) - (usedBefore[day] ?? 0);
  let sum = 0;
  for (let day = origin; day < until; day += hoursPerDay) {
    const last = day - Math.ceil((day + hoursPerDay - origin) / hoursPerWeek) * hoursPerWeek;
    const same = Array.from({ length: repeatedWeeks }, (_, week) => last - week * hoursPerWeek).filter(
      known => known >= 0,
    );
    const mean = same.reduce((total, known) => total + usedOn(known), 0) / same.length;
    sum += same.length > 0 ? mean : ((usedBefore[origin] ?? 0) / origin) * hoursPerDay;
  }
  return sum;
}

/** Mean errors of some cases. */
export function meanErrors(cases: readonly DailyCase[]): Pick<DailyCase, 'error' | 'weekdayError'> {
  const mean = (errorOf: (made: DailyCase) => number) =>
    cases.reduce((sum, made) => sum + errorOf(made), 0) / cases.length;
  return { error: mean(({ error }) => error), weekdayError: mean(({ weekdayError }) => weekdayError) };
}

/** The days of a month after which forecasts of some cases were not better than the mean of the last four same weekdays. */
export function listWorseDays(cases: readonly DailyCase[]): readonly number[] {
  return [...Map.groupBy(cases, ({ daysElapsed }) => daysElapsed)]
    .filter(([, made]) => {
      const { error, weekdayError } = meanErrors(made);
      return error >= weekdayError;
    })
    .map(([daysElapsed]) => daysElapsed);
}

const shownDays = [1, 3, 5, 7, 10, 15, 20, 25] as const;

function tableOfFleets(seeds: readonly number[]): QualityTable {
  const rows = forecastFleets.map(kind => {
    const cases = seeds.flatMap(seed => forecastDaily(inventFleet(kind, seed)));
    const cells = shownDays.map(day => {
      const { error, weekdayError } = meanErrors(cases.filter(({ daysElapsed }) => daysElapsed === day));
      return `${renderPercent(error)} (${renderPercent(weekdayError)})`;
    });
    const worse = listWorseDays(cases);
    return [kind.name, ...cells, worse.length === 0 ? 'none' : worse.join(', ')];
  });
  return {
    title: `Error of the forecast after so many days of a month, and of the mean of the last four same weekdays, ${watchedMonths} months of ${seeds.length} fleets of each kind`,
    heads: ['fleets', ...shownDays.map(String), 'days when worse'],
    rows,
  };
}

export const forecastQuality: Measurement = {
  name: 'forecast',
  measure: seeds => [
    ...accountKinds.map(({ name, create }) => {
      const cases = seeds.flatMap(seed => forecastMonth(create(seed)));
      const rowOf = (label: string, chosen: readonly BacktestCase[]) => {
        const { forecasts, meanError, runRateMeanError, coverage80, coverage95 } = summarize(chosen);
        const figures = [meanError, runRateMeanError, coverage80, coverage95].map(renderPercent);
        return [label, String(forecasts), ...figures];
      };
      return {
        title: `Forecast of a month's use, ${name}, ${seeds.length} seeds`,
        heads: ['days elapsed', 'forecasts', 'mean error', 'run rate', 'within 80 %', 'within 95 %'],
        rows: [
          ...elapsedDays.map(days =>
            rowOf(
              String(days),
              cases.filter(({ daysElapsed }) => daysElapsed === days),
            ),
          ),
          rowOf('all', cases),
        ],
      };
    }),
    tableOfFleets(seeds),
  ],
};
