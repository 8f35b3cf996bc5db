import { type BacktestCase, forecastAgain, summarize } from '../../src/cost/forecast/backtest.ts';
import { rollForecasts } from '../../src/cost/forecast/rolling-forecast.ts';
import { utcSlotOf } from '../../src/cost/forecast/week-slot.ts';
import { accountKinds } from './account-kind.ts';
import { type AccountRecord, recallUse } from './account-record.ts';
import { type Measurement, renderPercent } from './quality-table.ts';
import { inventMonthEnds } from './synthetic-account.ts';

/** Days of a month after which its end is forecast. */
const elapsedDays = [3, 7, 10, 15, 20, 25] as const;

/** What was forecast of the month of an account after so many days of it, as far as there was enough history. */
export function forecastMonth(record: AccountRecord): readonly BacktestCase[] {
  const past = rollForecasts(recallUse(record), utcSlotOf);
  return elapsedDays
    .map(daysElapsed => forecastAgain(past, { daysAgo: 0, days: record.monthDays, daysElapsed }))
    .filter(made => made !== undefined);
}

const forecastKinds = [...accountKinds, { name: 'invented ends of months', create: inventMonthEnds }];

export const forecastQuality: Measurement = {
  name: 'forecast',
  measure: seeds =>
    forecastKinds.map(({ name, create }) => {
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
};
