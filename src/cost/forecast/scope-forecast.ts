import { hourMs } from '../../resources/duration.ts';
import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { ExpectedSpending, SpendingStretch } from '../budget/spending-forecast.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Forecast, forecastUse } from './forecast.ts';
import type { RollingForecasts } from './rolling-forecast.ts';
import type { ScopePrice } from './scope-price.ts';

const secondsPerHour = 3600;

/** Forecast usage of a scope in a stretch of time to come, hour by hour and in all. */
interface ScopeForecast {
  readonly forecast: Forecast;
  /** Each hour with its beginning (`at`) and its compute hours. */
  readonly hours: readonly { readonly at: number; readonly untilAt: number; readonly computeHours: number }[];
}

/** Forecasts a scope up to an instant; undefined while there is too little history, or where the instant is past. */
export function forecastScope(past: RollingForecasts, untilAt: number): ScopeForecast | undefined {
  const forecast = forecastUse(past, untilAt);
  if (forecast === undefined) return undefined;
  return { forecast, hours: listHours(forecast, forecast.hours) };
}

function listHours({ fromAt, untilAt }: Period, hours: Float64Array): ScopeForecast['hours'] {
  return Array.from(hours, (seconds, index) => {
    const at = fromAt + index * hourMs;
    return { at, untilAt: Math.min(at + hourMs, untilAt), computeHours: seconds / secondsPerHour };
  });
}

/**
 * The forecast of a whole period in compute seconds: its usage until the forecast begins, and the forecast from then
 * on.
 */
export function boundPeriod(usedSeconds: number, { forecast }: ScopeForecast): ForecastBounds {
  const { expected, within80, within95 } = forecast;
  return {
    expected: usedSeconds + expected,
    low80: usedSeconds + within80.low,
    high80: usedSeconds + within80.high,
    low95: usedSeconds + within95.low,
    high95: usedSeconds + within95.high,
  };
}

/** The forecast of a whole period in money: included hours that are left are used up first. */
export function boundCost(cost: number, scope: ScopeForecast, price: ScopePrice): ForecastBounds {
  const { expected, within80, within95 } = scope.forecast;
  const at = (total: number) =>
    cost +
    sumOf(costHours(scope.hours, price, expected > 0 ? total / expected : 0).map(({ amount }) => amount));
  return {
    expected: at(expected),
    low80: at(within80.low),
    high80: at(within80.high),
    low95: at(within95.low),
    high95: at(within95.high),
  };
}

/**
 * The expected cost of a whole period alone, without its bounds.
 *
 * @param cost until the stretch to come.
 * @param hours compute seconds by hour in the stretch.
 */
export function expectCost(cost: number, { fromAt }: Period, hours: Float64Array, price: ScopePrice): number {
  let sum = 0;
  // It is asked for each project of a fleet: an object for each hour would take most of the time.
  for (let from = 0; from < hours.length; ) {
    const period = price.billing(fromAt + from * hourMs);
    const until = Math.min(hours.length, Math.ceil((period.untilAt - fromAt) / hourMs));
    const used = hours.subarray(from, until).map(seconds => seconds / secondsPerHour);
    let included = price.includedHours(
      used.reduce((total, each) => total + each, 0),
      period,
    );
    for (const [index, each] of used.entries()) {
      const free = Math.min(included, each);
      included -= free;
      sum += (each - free) * price.perComputeHour(fromAt + (from + index) * hourMs);
    }
    from = until;
  }
  return cost + sum;
}

/** The forecast of a whole period in compute seconds or in money: so much until now, and what is expected of the rest. */
export function boundWhole(soFar: number, { expected, bounds }: ExpectedSpending): ForecastBounds {
  return {
    expected: soFar + sumOf(expected.map(({ amount }) => amount)),
    low80: soFar + bounds.low80,
    high80: soFar + bounds.high80,
    low95: soFar + bounds.low95,
    high95: soFar + bounds.high95,
  };
}

/** Forecast cost of a stretch, hour by hour, for a budget in money. */
export function forecastCost(scope: ScopeForecast, price: ScopePrice, stretch: Period): ExpectedSpending {
  return expectSpending(scope, stretch, factor => costHours(scope.hours, price, factor));
}

/** Forecast compute hours of a stretch, hour by hour, for a budget in compute hours. */
export function forecastCompute(scope: ScopeForecast, stretch: Period): ExpectedSpending {
  return expectSpending(scope, stretch, factor =>
    scope.hours.map(({ at, untilAt, computeHours }) => ({
      fromAt: at,
      untilAt,
      amount: factor * computeHours,
    })),
  );
}

/** @param spendingOf the spending of each hour if the use is this many times what is expected. */
function expectSpending(
  { forecast: { expected, within80, within95 } }: ScopeForecast,
  stretch: Period,
  spendingOf: (factor: number) => readonly SpendingStretch[],
): ExpectedSpending {
  const at = (total: number) =>
    sumOf(within(spendingOf(expected > 0 ? total / expected : 0), stretch).map(({ amount }) => amount));
  return {
    expected: within(spendingOf(1), stretch),
    bounds: {
      low80: at(within80.low),
      high80: at(within80.high),
      low95: at(within95.low),
      high95: at(within95.high),
    },
  };
}

/**
 * Forecast cost hour by hour; in each billing period included hours are used up first.
 *
 * @param factor multiplies the forecast usage.
 */
function costHours(hours: ScopeForecast['hours'], price: ScopePrice, factor: number): SpendingStretch[] {
  let period: Period | undefined;
  const byPeriod = Map.groupBy(hours, ({ at }) => {
    // Hours are in order: one after the other is of the same period.
    if (period === undefined || at >= period.untilAt) period = price.billing(at);
    return period;
  });
  return [...byPeriod].flatMap(([period, members]) => {
    const expectedHours = factor * sumOf(members.map(({ computeHours }) => computeHours));
    let included = price.includedHours(expectedHours, period);
    return members.map(({ at, untilAt, computeHours }) => {
      const used = computeHours * factor;
      const free = Math.min(included, used);
      included -= free;
      return { fromAt: at, untilAt, amount: (used - free) * price.perComputeHour(at) };
    });
  });
}

/** The parts of hours that lie in a stretch. */
function within(hours: readonly SpendingStretch[], stretch: Period): SpendingStretch[] {
  return hours.flatMap(({ fromAt, untilAt, amount }) => {
    const from = Math.max(fromAt, stretch.fromAt);
    const until = Math.min(untilAt, stretch.untilAt);
    if (until <= from) return [];
    return [{ fromAt: from, untilAt: until, amount: (amount * (until - from)) / (untilAt - fromAt) }];
  });
}

function sumOf(amounts: readonly number[]): number {
  return amounts.reduce((sum, amount) => sum + amount, 0);
}
