import { hourMs } from '../../resources/duration.ts';
import type { HourlyUsage } from '../../resources/usage/hourly-usage.ts';
import { hoursPerDay, type SlotOf, slotsOfHours } from './week-slot.ts';
import { forecastWeek } from './weekly-forecast.ts';

/** Less than two days of history say nothing of a month. */
export const leastHistoryHours = 2 * hoursPerDay;

/** Errors are learnt from periods up to so many days; longer periods are forecast with the same spread. */
const longestDays = 31;

/** A forecast as it would have been made at some past moment. */
export interface OriginForecast {
  /** Index of the hour it begins with. */
  readonly origin: number;
  /** Forecast usage of the first n days together; 0 at 0. */
  readonly expectedByDay: Float64Array;
}

/** Usage of a scope, and the forecasts as they would have been made once a day since there was enough history. */
export interface RollingForecasts {
  readonly use: HourlyUsage;
  readonly slotOf: SlotOf;
  readonly slots: Uint8Array;
  /** Usage of all projects ever seen before each hour; one value more than there are hours. */
  readonly usedBefore: Float64Array;
  /** The latest first, which is the one made now. */
  readonly forecasts: readonly OriginForecast[];
}

/**
 * Makes the forecasts of all days so far. This takes most of the time of an analysis: keep it while no new hour is
 * known.
 */
export function rollForecasts(use: HourlyUsage, slotOf: SlotOf): RollingForecasts {
  const known = use.steady.length;
  const slots = slotsOfHours(use.firstHourAt, known + longestDays * hoursPerDay, slotOf);
  const forecasts: OriginForecast[] = [];
  for (let origin = known; origin >= leastHistoryHours; origin -= hoursPerDay) {
    forecasts.push({ origin, expectedByDay: expectDays(use, slots, origin) });
  }
  return { use, slotOf, slots, usedBefore: addUpHours(use), forecasts };
}

/** The end of known usage in epoch milliseconds, where forecasts begin. */
export function knownUntil({ firstHourAt, steady }: HourlyUsage): number {
  return firstHourAt + steady.length * hourMs;
}

function expectDays(use: HourlyUsage, slots: Uint8Array, origin: number): Float64Array {
  const habit = forecastWeek(use, slots, origin);
  const byDay = new Float64Array(longestDays + 1);
  let sum = 0;
  for (let ahead = 0; ahead < longestDays * hoursPerDay; ahead += 1) {
    sum += habit[slots[origin + ahead] ?? 0] ?? 0;
    if ((ahead + 1) % hoursPerDay === 0) byDay[(ahead + 1) / hoursPerDay] = sum;
  }
  return byDay;
}

function addUpHours({ steady, young, gone }: HourlyUsage): Float64Array {
  const usedBefore = new Float64Array(steady.length + 1);
  for (const hours of [steady, ...young.map(({ hours }) => hours), ...gone.map(({ hours }) => hours)]) {
    for (let hour = 0; hour < steady.length; hour += 1) {
      usedBefore[hour + 1] = (usedBefore[hour + 1] ?? 0) + (hours[hour] ?? 0);
    }
  }
  for (let hour = 1; hour < usedBefore.length; hour += 1) {
    usedBefore[hour] = (usedBefore[hour] ?? 0) + (usedBefore[hour - 1] ?? 0);
  }
  return usedBefore;
}
