import { type BacktestCase, forecastAgain } from '../../src/cost/backtest.ts';
import { forecastPast } from '../../src/cost/past-forecast.ts';
import { utcSlotOf } from '../../src/cost/week-slot.ts';
import { type AccountRecord, recallUse } from './account-record.ts';

/** Days of a month after which its end is forecast. */
export const elapsedDays = [3, 7, 10, 15, 20, 25] as const;

/** What was forecast of the month of an account after so many days of it, as far as there was enough history. */
export function forecastMonth(record: AccountRecord): readonly BacktestCase[] {
  const past = forecastPast(recallUse(record), utcSlotOf);
  return elapsedDays
    .map(daysElapsed => forecastAgain(past, { daysAgo: 0, days: record.monthDays, daysElapsed }))
    .filter(made => made !== undefined);
}
