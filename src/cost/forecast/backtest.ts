import type { ForecastBounds } from '../../resources/usage/view.ts';
import { shiftBounds } from './bound.ts';
import { boundsOf, spreadOfErrors } from './forecast-error.ts';
import type { RollingForecasts } from './rolling-forecast.ts';
import { hoursPerDay } from './week-slot.ts';

/** A forecast that was made in the middle of a period that is over. Amounts are compute seconds of the whole period. */
export interface BacktestCase extends ForecastBounds {
  readonly daysElapsed: number;
  readonly days: number;
  readonly used: number;
  /** The straight line through the usage since the beginning of the period, at its end. */
  readonly runRate: number;
}

/** The quality of forecasts of past periods. Errors are means of the parts of the period's true usage. */
interface Backtest {
  readonly forecasts: number;
  readonly meanError: number;
  /** The error of the straight line through the usage since the beginning of the period, at the same moments. */
  readonly runRateMeanError: number;
  /** Parts of the periods that came out within the bounds. */
  readonly coverage80: number;
  readonly coverage95: number;
}

/** The parts of a period after which its forecast is judged. */
const elapsedParts = [0.1, 0.25, 0.4, 0.55, 0.7, 0.85] as const;

/**
 * Periods as long as `days`, or as a third of the history if that is shorter, that ended on any day so far. Undefined
 * while there is none that could have been forecast.
 */
export function backtest(past: RollingForecasts, days: number): Backtest | undefined {
  const knownDays = Math.floor(past.use.steady.length / hoursPerDay);
  const length = Math.max(2, Math.min(Math.round(days), Math.floor(knownDays / 3)));
  const elapsed = new Set(
    elapsedParts.map(part => Math.min(length - 1, Math.max(1, Math.round(part * length)))),
  );
  const cases: BacktestCase[] = [];
  for (let daysAgo = 0; daysAgo + length <= knownDays; daysAgo += 1) {
    for (const daysElapsed of elapsed) {
      const made = forecastAgain(past, { daysAgo, days: length, daysElapsed });
      if (made !== undefined && made.used > 0) cases.push(made);
    }
  }
  return cases.length === 0 ? undefined : summarize(cases);
}

/**
 * The forecast of a period as it would have been made `daysElapsed` days after it began.
 *
 * @param period ended this number of days before the end of what is known. Undefined if there was not enough history then.
 */
export function forecastAgain(
  past: RollingForecasts,
  period: { readonly daysAgo: number; readonly days: number; readonly daysElapsed: number },
): BacktestCase | undefined {
  const { days, daysElapsed } = period;
  const remaining = days - daysElapsed;
  const until = past.use.steady.length - period.daysAgo * hoursPerDay;
  const from = until - days * hoursPerDay;
  const forecast = past.forecasts[period.daysAgo + remaining];
  if (forecast === undefined || from < 0) return undefined;
  const { origin, expectedByDay } = forecast;
  const usedBefore = (hour: number) => past.usedBefore[hour] ?? 0;
  const usedSoFar = usedBefore(origin) - usedBefore(from);
  const rest = boundsOf(expectedByDay[remaining] ?? 0, spreadOfErrors(past, remaining, origin));
  return {
    daysElapsed,
    days,
    used: usedBefore(until) - usedBefore(from),
    runRate: (usedSoFar / daysElapsed) * days,
    ...shiftBounds(rest, usedSoFar),
  };
}

/** @param cases at least one. */
export function summarize(cases: readonly BacktestCase[]): Backtest {
  const mean = (numberOf: (made: BacktestCase) => number) =>
    cases.reduce((sum, made) => sum + numberOf(made), 0) / cases.length;
  return {
    forecasts: cases.length,
    meanError: mean(({ expected, used }) => Math.abs(expected - used) / used),
    runRateMeanError: mean(({ runRate, used }) => Math.abs(runRate - used) / used),
    coverage80: mean(({ used, low80, high80 }) => Number(used >= low80 && used <= high80)),
    coverage95: mean(({ used, low95, high95 }) => Number(used >= low95 && used <= high95)),
  };
}
