import { dayMs, hourMs } from '../../resources/duration.ts';
import { sumOf } from '../../resources/sum.ts';
import type { ForecastBounds } from '../../resources/usage/view.ts';
import type { Bound } from './bound.ts';
import { boundsOf, spreadOfErrors } from './forecast-error.ts';
import { expectHours, knownUntil, leastHistoryHours, type RollingForecasts } from './rolling-forecast.ts';

/** Forecast usage from `fromAt` to `untilAt`, in compute seconds; the sum of all hours has bounds. */
export interface Forecast extends ForecastBounds {
  /** The end of known usage, where the forecast begins. */
  readonly fromAt: number;
  readonly untilAt: number;
  /** Usage by hour; the last hour only up to `untilAt`. */
  readonly hours: Float64Array;
}

/** How many times what is expected is used at a bound; 0 where nothing is expected. */
export function factorAt(forecast: Forecast, bound: Bound): number {
  return forecast.expected > 0 ? forecast[bound] / forecast.expected : 0;
}

/** Forecasts usage up to an instant; undefined while there is not enough history, or if `untilAt` is past. */
export function forecastUse(past: RollingForecasts, untilAt: number): Forecast | undefined {
  const fromAt = knownUntil(past.use);
  const hours = expectUse(past, untilAt);
  if (hours === undefined) return undefined;
  const spread = spreadOfErrors(past, (untilAt - fromAt) / dayMs, past.use.steady.length);
  return { fromAt, untilAt, hours, ...boundsOf(sumOf(hours), spread) };
}

/** The usage that is expected hour by hour up to an instant, as forecasts have it without their bounds. */
export function expectUse(
  past: Omit<RollingForecasts, 'forecasts'>,
  untilAt: number,
): Float64Array | undefined {
  const { use, slots, slotOf, turns, turnOf } = past;
  const known = use.steady.length;
  const fromAt = knownUntil(use);
  if (known < leastHistoryHours || untilAt <= fromAt) return undefined;
  const remainingHours = (untilAt - fromAt) / hourMs;
  const expect = expectHours(past, known);
  return Float64Array.from({ length: Math.ceil(remainingHours) }, (_, ahead) => {
    const at = fromAt + ahead * hourMs;
    const used = expect(slots[known + ahead] ?? slotOf(at), turns[known + ahead] ?? turnOf(at));
    return used * Math.min(1, remainingHours - ahead);
  });
}
