import { dayMs } from '../../resources/duration.ts';
import type { AwakeSpan } from '../../resources/endpoint-history.ts';
import type { Period } from '../calendar/calendar.ts';
import { sum } from '../finding/statistic.ts';
import { sharedMs } from './compared-past.ts';

/** Fewer days on one side say too little. */
const leastDays = 3;
/** The difference of the means of both sides, in standard errors of it: days of a habit that never changed stay below. */
const leastErrors = 6;

/**
 * The midnight of UTC from which on an endpoint was awake much more by day, or much less; undefined where no day is clear.
 *
 * @param stretch from the beginning of the one period to the end of the other.
 */
export function findDailyShift(spans: readonly AwakeSpan[], { fromAt, untilAt }: Period): number | undefined {
  const firstAt = Math.ceil(fromAt / dayMs) * dayMs;
  const count = Math.floor((untilAt - firstAt) / dayMs);
  const days = Array.from({ length: Math.max(0, count) }, (_, day) => {
    const at = firstAt + day * dayMs;
    return sum(spans.map(span => sharedMs(span, { fromAt: at, untilAt: at + dayMs })));
  });
  let best = { errors: leastErrors, day: -1 };
  for (let day = leastDays; day <= days.length - leastDays; day += 1) {
    const errors = countErrors(days.slice(0, day), days.slice(day));
    if (errors > best.errors) best = { errors, day };
  }
  return best.day < 0 ? undefined : firstAt + best.day * dayMs;
}

/** How many standard errors the means are apart. */
function countErrors(left: readonly number[], right: readonly number[]): number {
  const apart = Math.abs(meanOf(left) - meanOf(right));
  const error = Math.sqrt(squaredError(left) + squaredError(right));
  return error === 0 ? (apart === 0 ? 0 : Number.MAX_VALUE) : apart / error;
}

function squaredError(values: readonly number[]): number {
  const mean = meanOf(values);
  return sum(values.map(value => (value - mean) ** 2)) / (values.length - 1) / values.length;
}

function meanOf(values: readonly number[]): number {
  return sum(values) / values.length;
}
