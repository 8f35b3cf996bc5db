import { dayMs } from '../../resources/duration.ts';
import type { MeterMetric } from '../../resources/meter.ts';
import { maxOf } from '../../resources/min-max.ts';
import { sumOf } from '../../resources/sum.ts';
import type { Bound } from './bound.ts';
import {
  boundsOf,
  type ErrorSpread,
  negligiblePart,
  normalConsistency,
  spreadOver,
  worstError,
} from './forecast-error.ts';
import type { MeteredDays, MeteredPast } from './metered-past.ts';
import { longestDays } from './rolling-forecast.ts';
import { daysPerWeek } from './week-slot.ts';

/** Forecasts after which their mean error is believed as much as none. */
const driftTrust = 2;

/** A meter that is little known may go on quite differently, the more so the further ahead. */
const youngDeviation = 0.2;
const youngPower = 0.75;

/**
 * By how much a metric may grow more or less than it is expected to from the end of what is known on, as a factor. It is
 * expected to go on as in the last week, or in as much of one as is known.
 *
 * @param untilAt the end of what is foretold, epoch milliseconds.
 */
export function growthFactor(past: MeteredPast, metric: MeterMetric, untilAt: number, bound: Bound): number {
  const known = metric === 'compute_unit_seconds' ? undefined : past.get(metric);
  if (known === undefined || bound === 'expected') return 1;
  const ahead = untilAt / dayMs - known.first - known.days.length;
  if (ahead <= 0) return 1;
  const meter = new PastMeter(known);
  const { drift, wildest } = meter.driftOver(ahead);
  const { deviation, observations } = meter.spreadOver(ahead);
  const young = (youngDeviation * Math.sqrt(ahead)) / known.days.length ** youngPower;
  const spread = { deviation: Math.min(worstError, Math.hypot(deviation, young)), observations };
  const isOuter = bound.endsWith('95');
  const usual = boundsOf(1, spread)[isOuter ? 'high95' : 'high80'];
  // A bulk load is rare, and out of all proportion: what was seen once is not left out.
  const factor = isOuter ? Math.max(usual, Math.exp(wildest)) : usual;
  return bound.startsWith('low') ? Math.min(1, drift) / factor : Math.max(1, drift) * factor;
}

/** A metric with the forecasts of it as they would have been made once a day. */
class PastMeter {
  /** The amount before each day; one value more than there are days. */
  readonly #before: Float64Array;

  constructor({ days }: MeteredDays) {
    this.#before = new Float64Array(days.length + 1);
    for (const [day, amount] of days.entries()) this.#before[day + 1] = (this.#before[day] ?? 0) + amount;
  }

  /**
   * The drift of forecasts as a factor, and the largest error that was seen: growth by as much each day is foretold too low each
   * time, the more so the further ahead.
   */
  driftOver(days: number): { readonly drift: number; readonly wildest: number } {
    const known = this.#known;
    const seenDays = Math.max(1, Math.min(longestDays, Math.round(days), Math.floor(known / 3)));
    const errors = this.#errorsOver(seenDays);
    const mean = meanOf(errors);
    // The middle of the days to come from the middle of the days that the forecast is made of.
    const lagOf = (ahead: number) => (ahead + Math.min(daysPerWeek, known) + 1) / 2;
    const grown = 1 + (Math.expm1(Math.abs(mean)) * lagOf(days)) / lagOf(seenDays);
    return { drift: grown ** Math.sign(mean), wildest: maxOf([0, ...errors.map(Math.abs)]) };
  }

  /** The spread of errors around their drift. */
  spreadOver(days: number): ErrorSpread {
    return spreadOver(days, {
      learn: (whole, prior) => this.#learn(whole, prior),
      inPart: (deviation, part) => deviation * Math.sqrt(Math.max(1, 1 / part)),
    });
  }

  get #known(): number {
    return this.#before.length - 1;
  }

  /** Forecasts overlap: those of n days made on m days in a row are as good as (m + n - 1) / n independent ones. */
  #learn(days: number, prior: ErrorSpread): ErrorSpread {
    const errors = this.#errorsOver(days);
    if (errors.length === 0) return prior;
    const own = (errors.length + days - 1) / days;
    const drift = (meanOf(errors) * errors.length) / (errors.length + driftTrust);
    const around = normalConsistency * meanOf(errors.map(error => Math.abs(error - drift)));
    const observations = prior.observations + own;
    return { deviation: (prior.observations * prior.deviation + own * around) / observations, observations };
  }

  /**
   * Logarithms of what came over what was foretold, of all forecasts over this number of days that have ended. What was added while
   * there was little counts as the part that it is of a meter as large as now: it is not its growth that goes on, but its amount.
   */
  #errorsOver(days: number): readonly number[] {
    const known = this.#known;
    const now = this.#usualDay(known);
    const negligible = negligiblePart * ((this.#before[known] ?? 0) / known);
    return Array.from({ length: Math.max(0, known - days) }, (_, index) => {
      const origin = index + 1;
      const came = (this.#before[origin + days] ?? 0) - (this.#before[origin] ?? 0);
      const foretold = days * this.#usualDay(origin);
      const also = Math.max(0, days * now - foretold) + days * negligible;
      const error = Math.log((came + also) / (foretold + also));
      return Math.max(-worstError, Math.min(worstError, error));
    });
  }

  #usualDay(origin: number): number {
    const from = Math.max(0, origin - daysPerWeek);
    return ((this.#before[origin] ?? 0) - (this.#before[from] ?? 0)) / (origin - from);
  }
}

function meanOf(values: readonly number[]): number {
  return values.length === 0 ? 0 : sumOf(values) / values.length;
}
