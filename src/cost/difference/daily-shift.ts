import { dayMs } from '../../resources/duration.ts';
import type { AwakeSpan } from '../../resources/endpoint-history.ts';
import type { Period } from '../calendar/calendar.ts';
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
  const days = awakeByDay(spans, firstAt, Math.max(0, count));
  let best = { errors: leastErrors, day: -1 };
  for (let day = leastDays; day <= days.length - leastDays; day += 1) {
    const errors = countErrors(days, day);
    if (errors > best.errors) best = { errors, day };
  }
  return best.day < 0 ? undefined : firstAt + best.day * dayMs;
}

/** Milliseconds that the spans share with each of some days. */
function awakeByDay(spans: readonly AwakeSpan[], firstAt: number, count: number): readonly number[] {
  const days = Array.from({ length: count }, () => 0);
  for (const span of spans) {
    const first = Math.max(0, Math.floor((span.fromAt - firstAt) / dayMs));
    for (let day = first; day < count && firstAt + day * dayMs < span.untilAt; day += 1) {
      const at = firstAt + day * dayMs;
      days[day] = (days[day] ?? 0) + sharedMs(span, { fromAt: at, untilAt: at + dayMs });
    }
  }
  return days;
}

/** How many standard errors the means of the days before one and of those from it on are apart. */
function countErrors(days: readonly number[], day: number): number {
  const [left, right] = [describeMean(days, 0, day), describeMean(days, day, days.length)];
  const apart = Math.abs(left.mean - right.mean);
  const error = Math.sqrt(left.squaredError + right.squaredError);
  return error === 0 ? (apart === 0 ? 0 : Number.MAX_VALUE) : apart / error;
}

/** The mean of the values from one place until another, and the square of its standard error: made for every day, so in place. */
function describeMean(values: readonly number[], from: number, until: number) {
  const count = until - from;
  let total = 0;
  for (let place = from; place < until; place += 1) total += values[place] ?? 0;
  const mean = total / count;
  let squares = 0;
  for (let place = from; place < until; place += 1) squares += ((values[place] ?? 0) - mean) ** 2;
  return { mean, squaredError: squares / (count - 1) / count };
}
