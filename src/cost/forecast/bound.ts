import type { ForecastBounds } from '../../resources/usage/view.ts';

/** The expected amount of a forecast, or one of its bounds. */
export type Bound = keyof ForecastBounds;

/** A forecast whose amount and bounds are worked out alike. */
export function mapBounds(amountOf: (bound: Bound) => number): ForecastBounds {
  return {
    expected: amountOf('expected'),
    low80: amountOf('low80'),
    high80: amountOf('high80'),
    low95: amountOf('low95'),
    high95: amountOf('high95'),
  };
}

/** The forecast of two things together: at a bound both are at theirs. */
export function addBounds(one: ForecastBounds, other: ForecastBounds): ForecastBounds {
  return mapBounds(bound => one[bound] + other[bound]);
}

/** A forecast of what is to come, plus a known amount: what was used so far, or less than 0 for a part that is there already. */
export function shiftBounds(toCome: ForecastBounds, known: number): ForecastBounds {
  return mapBounds(bound => toCome[bound] + known);
}
