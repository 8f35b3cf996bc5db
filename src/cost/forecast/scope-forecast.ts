import { hourMs, secondsPerHour } from '../../resources/duration.ts';
import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { ExpectedSpending, SpendingStretch } from '../budget/spending-forecast.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import { mapBounds } from './bound.ts';
import { type Forecast, factorAt } from './forecast.ts';
import type { ScopePrice } from './scope-price.ts';

/** The forecast of a whole period in money, after a cost until the forecast begins: included hours that are left are used up first. */
export function boundCost(cost: number, forecast: Forecast, price: ScopePrice): ForecastBounds {
  return mapBounds(
    bound => cost + sumOf(costHours(forecast, forecast.hours, price, factorAt(forecast, bound))),
  );
}

/**
 * The expected cost of a whole period alone, without its bounds.
 *
 * @param cost until the stretch to come.
 * @param hours compute seconds by hour in the stretch.
 */
export function expectCost(cost: number, toCome: Period, hours: Float64Array, price: ScopePrice): number {
  return cost + sumOf(costHours(toCome, hours, price, 1));
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
  const within = (factor: number) => hoursWithin(forecast, spendingOf(factor), stretch);
  return {
    stretches: within(1),
    total: mapBounds(bound => sumOf(within(factorAt(forecast, bound)).map(({ amount }) => amount))),
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
    const fromAt = forecast.fromAt + index * hourMs;
    const hour = { fromAt, untilAt: Math.min(fromAt + hourMs, forecast.untilAt) };
    const part = clip(hour, stretch);
    const partMs = part.untilAt - part.fromAt;
    return partMs <= 0 ? [] : [{ ...part, amount: (amount * partMs) / (hour.untilAt - hour.fromAt) }];
  });
}

function sumOf(amounts: Iterable<number>): number {
  let sum = 0;
  for (const amount of amounts) sum += amount;
  return sum;
}
