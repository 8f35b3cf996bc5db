import type { ForecastBounds } from '../../resources/usage/view.ts';

/** What is expected, or a bound of it. */
export type Bound = keyof ForecastBounds;

/** What is expected and its bounds, each worked out alike. */
export function mapBounds(amountOf: (bound: Bound) => number): ForecastBounds {
  return {
    expected: amountOf('expected'),
    low80: amountOf('low80'),
    high80: amountOf('high80'),
    low95: amountOf('low95'),
    high95: amountOf('high95'),
  };
}

/** What is expected of two things together: at a bound both are at theirs. */
export function addBounds(one: ForecastBounds, other: ForecastBounds): ForecastBounds {
  return mapBounds(bound => one[bound] + other[bound]);
}

/** What is to come, and besides it an amount that is known: so far, or less than 0 for the part that is there already. */
export function shiftBounds(toCome: ForecastBounds, known: number): ForecastBounds {
  return mapBounds(bound => toCome[bound] + known);
}
