import { hourMs, secondsPerHour } from '../../resources/duration.ts';
import { sumOf } from '../../resources/sum.ts';
import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { ExpectedSpending, SpendingStretch } from '../budget/spending-forecast.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import { mapBounds, shiftBounds } from './bound.ts';
import { type Forecast, factorAt } from './forecast.ts';
import type { ScopePrice } from './scope-price.ts';

/**
 * The expected cost of hours alone, without its bounds.
 *
 * @param toCome begins with the first hour.
 * @param hours compute seconds by hour.
 */
export function expectCost(toCome: Period, hours: Float64Array, price: ScopePrice): number {
  return sumOf(costHours(toCome, hours, price, 1));
}

/** Forecast cost of a stretch, hour by hour, for a budget in money. */
export function forecastCost(forecast: Forecast, price: ScopePrice, stretch: Period): ExpectedSpending {
  return expectSpending(forecast, stretch, (hours, factor) => costHours(forecast, hours, price, factor));
}

/** Forecast compute hours of a stretch, hour by hour, for a budget in compute hours. */
export function forecastCompute(forecast: Forecast, stretch: Period): ExpectedSpending {
  return expectSpending(forecast, stretch, (hours, factor) =>
    hours.map(seconds => factor * (seconds / secondsPerHour)),
  );
}

/** The compute seconds of a whole period: those that were used, and those that are expected in the rest of it. */
export function expectCompute(forecast: Forecast, rest: Period, usedCuMs: number): ForecastBounds {
  const hours = shiftBounds(forecastCompute(forecast, rest).total, usedCuMs / hourMs);
  return mapBounds(bound => hours[bound] * secondsPerHour);
}

/** @param spendingOf the spending of each hour if the use is this many times what is expected. */
function expectSpending(
  forecast: Forecast,
  stretch: Period,
  spendingOf: (hours: Float64Array, factor: number) => Float64Array,
): ExpectedSpending {
  const hours = hoursWithin(forecast, forecast.hours, stretch);
  const stretches = [...spendingOf(hours, 1)].flatMap((amount, index): SpendingStretch[] => {
    const part = clip(hourOf(forecast, index), stretch);
    return part.untilAt <= part.fromAt ? [] : [{ ...part, amount }];
  });
  return {
    stretches,
    total: mapBounds(bound => sumOf(spendingOf(hours, factorAt(forecast, bound)))),
  };
}

/**
 * Forecast cost hour by hour: of each plan apart, as the included hours of one are not spent on another. In each billing period
 * they are used up first. It is asked for each project of a fleet: an object for each hour would take most of the time.
 *
 * @param hours compute seconds by hour from the beginning of a stretch on.
 * @param factor multiplies them.
 */
function costHours({ fromAt }: Period, hours: Float64Array, price: ScopePrice, factor: number): Float64Array {
  const costs = new Float64Array(hours.length);
  for (let from = 0; from < hours.length; ) {
    const period = price.billing(fromAt + from * hourMs);
    const until = Math.min(hours.length, Math.ceil((period.untilAt - fromAt) / hourMs));
    for (const plan of price.plans) {
      const used = hours
        .subarray(from, until)
        .map(seconds => (plan.part * factor * seconds) / secondsPerHour);
      let included = plan.includedHours(sumOf(used), period);
      for (const [index, each] of used.entries()) {
        const free = Math.min(included, each);
        included -= free;
        const place = from + index;
        costs[place] = (costs[place] ?? 0) + (each - free) * plan.perComputeHour(fromAt + place * hourMs);
      }
    }
    from = until;
  }
  return costs;
}

/** What of hours lies in a stretch. */
export function hoursWithin(forecast: Period, hours: Float64Array, stretch: Period): Float64Array {
  return hours.map((seconds, index) => {
    const hour = hourOf(forecast, index);
    const { fromAt, untilAt } = clip(hour, stretch);
    return (seconds * Math.max(0, untilAt - fromAt)) / (hour.untilAt - hour.fromAt);
  });
}

function hourOf({ fromAt, untilAt }: Period, index: number): Period {
  const hourAt = fromAt + index * hourMs;
  return { fromAt: hourAt, untilAt: Math.min(hourAt + hourMs, untilAt) };
}
