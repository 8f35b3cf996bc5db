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

/** The sums of two things at each bound of the use. They may be out of order: charges up to a minimum fall as the use grows. */
export function pairBounds(one: ForecastBounds, other: ForecastBounds): ForecastBounds {
  return mapBounds(bound => one[bound] + other[bound]);
}

/**
 * The forecast of two things together: at a bound both are at theirs. Where one falls while the other rises, as what is charged
 * up to a minimum does, the least and the most may lie elsewhere: a bound takes in all that lies within it.
 */
export function addBounds(one: ForecastBounds, other: ForecastBounds): ForecastBounds {
  const { expected, ...ends } = pairBounds(one, other);
  const low80 = Math.min(ends.low80, expected, ends.high80);
  const high80 = Math.max(ends.low80, expected, ends.high80);
  return {
    expected,
    ...{ low80, high80 },
    ...{ low95: Math.min(ends.low95, low80, ends.high95), high95: Math.max(ends.low95, high80, ends.high95) },
  };
}

/** A forecast of what is to come, plus a known amount: what was used so far, or less than 0 for a part that is there already. */
export function shiftBounds(toCome: ForecastBounds, known: number): ForecastBounds {
  return mapBounds(bound => toCome[bound] + known);
}
