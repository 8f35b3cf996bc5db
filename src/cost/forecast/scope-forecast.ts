import { hourMs, secondsPerHour } from '../../resources/duration.ts';
import type { ExpectedSpending, SpendingStretch } from '../budget/spending-forecast.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import { mapBounds } from './bound.ts';
import { type Forecast, factorAt } from './forecast.ts';
import type { ScopePrice } from './scope-price.ts';

/**
 * The expected cost of a stretch alone, without its bounds.
 *
 * @param toCome begins with the first hour, and ends with the stretch.
 * @param hours compute seconds by hour.
 */
export function expectCost(toCome: Period, hours: Float64Array, price: ScopePrice, stretch: Period): number {
  return sumWithin(toCome, costHours(toCome, hours, price, 1), stretch);
}

/** The sum of amounts by hour in a stretch. */
export function sumWithin(toCome: Period, amounts: Float64Array, stretch: Period): number {
  let sum = 0;
  for (const [index, amount] of amounts.entries()) sum += amount * partWithin(hourOf(toCome, index), stretch);
  return sum;
}

/** Forecast cost of a stretch, hour by hour, for a budget in money. */
export function forecastCost(forecast: Forecast, price: ScopePrice, stretch: Period): ExpectedSpending {
  return expectSpending(forecast, stretch, factor => costHours(forecast, forecast.hours, price, factor));
}

/** Forecast compute hours of a stretch, hour by hour, for a budget in compute hours. */
export function forecastCompute(forecast: Forecast, stretch: Period): ExpectedSpending {
  return expectSpending(forecast, stretch, factor =>
    forecast.hours.map(seconds => factor * (seconds / secondsPerHour)),
  );
}

/** @param spendingOf the spending of each hour if the use is this many times what is expected. */
function expectSpending(
  forecast: Forecast,
  stretch: Period,
  spendingOf: (factor: number) => Float64Array,
): ExpectedSpending {
  return {
    stretches: hoursWithin(forecast, spendingOf(1), stretch),
    total: mapBounds(bound => sumWithin(forecast, spendingOf(factorAt(forecast, bound)), stretch)),
  };
}

/**
 * Forecast cost hour by hour; in each billing period included hours are used up first. It is asked for each project of a
 * fleet: an object for each hour would take most of the time.
 *
 * @param hours compute seconds by hour from the beginning of a stretch on.
 * @param factor multiplies them.
 */
function costHours({ fromAt }: Period, hours: Float64Array, price: ScopePrice, factor: number): Float64Array {
  const costs = new Float64Array(hours.length);
  for (let from = 0; from < hours.length; ) {
    const period = price.billing(fromAt + from * hourMs);
    const until = Math.min(hours.length, Math.ceil((period.untilAt - fromAt) / hourMs));
    const used = hours.subarray(from, until).map(seconds => seconds / secondsPerHour);
    let included = price.includedHours(factor * sumOf(used), period);
    for (const [index, each] of used.entries()) {
      const free = Math.min(included, each * factor);
      included -= free;
      costs[from + index] = (each * factor - free) * price.perComputeHour(fromAt + (from + index) * hourMs);
    }
    from = until;
  }
  return costs;
}

/** The parts of the hours of a forecast that lie in a stretch. */
function hoursWithin(forecast: Period, amounts: Float64Array, stretch: Period): SpendingStretch[] {
  return [...amounts].flatMap((amount, index) => {
    const hour = hourOf(forecast, index);
    const part = partWithin(hour, stretch);
    return part === 0 ? [] : [{ ...clip(hour, stretch), amount: amount * part }];
  });
}

function hourOf({ fromAt, untilAt }: Period, index: number): Period {
  const hourAt = fromAt + index * hourMs;
  return { fromAt: hourAt, untilAt: Math.min(hourAt + hourMs, untilAt) };
}

/** Which part of an hour lies in a stretch. */
function partWithin(hour: Period, stretch: Period): number {
  const { fromAt, untilAt } = clip(hour, stretch);
  return Math.max(0, untilAt - fromAt) / (hour.untilAt - hour.fromAt);
}

function sumOf(amounts: Iterable<number>): number {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return sum;
}
