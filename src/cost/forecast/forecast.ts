import { hourMs } from '../../resources/duration.ts';
import { type Bounds, boundsOf, spreadOfErrors } from './forecast-error.ts';
import { knownUntil, leastHistoryHours, type RollingForecasts } from './rolling-forecast.ts';
import { hoursPerDay, hoursPerWeek } from './week-slot.ts';
import { forecastWeek } from './weekly-forecast.ts';

/** What will be used from `fromAt` on; amounts are compute seconds. */
export interface Forecast {
  /** Until when use is known: the forecast begins there. */
  readonly fromAt: number;
  readonly untilAt: number;
  /** By the hour; the last one up to `untilAt` only. */
  readonly hours: Float64Array;
  /** All hours together, and what they lie within but for one case in five or in twenty. */
  readonly expected: number;
  readonly within80: Bounds;
  readonly within95: Bounds;
  /** What is known of the rhythm: two weeks show what weekdays are like. */
  readonly snapshot: 'weekday and hour' | 'hour of day';
}

/** Undefined while there is not enough history, or if `untilAt` is past. */
export function forecastUse(past: RollingForecasts, untilAt: number): Forecast | undefined {
  const { use, slots, slotOf } = past;
  const known = use.steady.length;
  const fromAt = knownUntil(use);
  if (known < leastHistoryHours || untilAt <= fromAt) return undefined;
  const remainingHours = (untilAt - fromAt) / hourMs;
  const habit = forecastWeek(use, slots, known);
  const hours = Float64Array.from({ length: Math.ceil(remainingHours) }, (_, ahead) => {
    const slot = slots[known + ahead] ?? slotOf(fromAt + ahead * hourMs);
    return (habit[slot] ?? 0) * Math.min(1, remainingHours - ahead);
  });
  const expected = hours.reduce((sum, hour) => sum + hour, 0);
  const spread = spreadOfErrors(past, remainingHours / hoursPerDay, known);
  return {
    fromAt,
    untilAt,
    hours,
    expected,
    within80: boundsOf(expected, spread, 80),
    within95: boundsOf(expected, spread, 95),
    snapshot: known < 2 * hoursPerWeek ? 'hour of day' : 'weekday and hour',
  };
}
