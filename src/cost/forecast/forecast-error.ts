import type { ForecastBounds } from '../../resources/usage/view.ts';
import { longestDays, type OriginForecast, type RollingForecasts } from './rolling-forecast.ts';
import { hoursPerDay } from './week-slot.ts';

/** The spread of the errors of a forecast. */
export interface ErrorSpread {
  /** Standard error of the logarithm of actual over forecast usage. */
  readonly deviation: number;
  /** The number of independent observations that the deviation rests on. */
  readonly observations: number;
}

/** The error over a day while there is no forecast to learn from, and its weight in observations. */
const firstDeviation = 0.15;
const firstObservations = 2;

/**
 * The standard deviation of a normal distribution by its mean absolute deviation, which a few wild errors move less.
 */
export const normalConsistency = Math.sqrt(Math.PI / 2);

/** Smaller errors do not count: a part of the mean day, and compute seconds. */
export const negligiblePart = 0.02;
const negligibleSeconds = 1;

/** Wrong by a factor of twenty is as wrong as it gets: one nap or one awakening must not undo all bounds. */
export const worstError = Math.log(20);

const normalQuantile80 = 1.2816;
const normalQuantile95 = 1.96;

/**
 * The spread of the errors of forecasts over a number of days, of forecasts whose period had ended by the hour `at`, at which
 * such a forecast is made. It is wider while some kind of day was hardly seen.
 */
export function spreadOfErrors(past: RollingForecasts, days: number, at: number): ErrorSpread {
  const { deviation, observations } = spreadOfLearnt(past, days, at);
  const together = Math.hypot(deviation, deviationOfUnseen(past.slots, at, days));
  return { deviation: Math.min(worstError, together), observations };
}

function spreadOfLearnt(past: RollingForecasts, days: number, at: number): ErrorSpread {
  return spreadOver(days, {
    learn: (whole, prior) => learn(past, whole, at, prior),
    // Hours are less even than the day they add up to; the last one is not worth telling apart.
    inPart: (deviation, part) => deviation / Math.sqrt(Math.min(1, Math.max(part, 1 / hoursPerDay))),
  });
}

interface Learning {
  /** Errors of forecasts over a number of days, besides those known of fewer. */
  readonly learn: (days: number, prior: ErrorSpread) => ErrorSpread;
  /** The deviation over less than two days, by that over one. */
  readonly inPart: (deviation: number, days: number) => number;
}

/** The spread of errors over a number of days, by what forecasts over fewer teach. */
export function spreadOver(days: number, learning: Learning): ErrorSpread {
  if (days < 2) {
    const prior = { deviation: firstDeviation, observations: firstObservations };
    const { deviation, observations } = learning.learn(1, prior);
    return { deviation: learning.inPart(deviation, days), observations };
  }
  // Single days even out over more of them, but levels drift: until more is known, the one makes up for the other.
  const { deviation, observations } = spreadOver(days / 2, learning);
  const prior = { deviation, observations: Math.min(observations, firstObservations) };
  return learning.learn(Math.round(days), prior);
}

/** The bounds that four totals in five and nineteen in twenty lie within, when `expected` was forecast. */
export function boundsOf(expected: number, { deviation, observations }: ErrorSpread): ForecastBounds {
  const factorAt = (normal: number) => Math.exp(widenForFew(normal, observations) * deviation);
  const [factor80, factor95] = [factorAt(normalQuantile80), factorAt(normalQuantile95)];
  return {
    expected,
    ...{ low80: expected / factor80, high80: expected * factor80 },
    ...{ low95: expected / factor95, high95: expected * factor95 },
  };
}

/** Forecasts overlap: those of n days made on m days in a row are as good as (m + n - 1) / n independent ones. */
function learn(past: RollingForecasts, days: number, at: number, prior: ErrorSpread): ErrorSpread {
  if (days > longestDays) return prior;
  const ended = past.forecasts.filter(({ origin }) => origin + days * hoursPerDay <= at);
  if (ended.length === 0) return prior;
  let sum = 0;
  let weights = 0;
  for (const forecast of ended) {
    const unseen = deviationOfUnseen(past.slots, forecast.origin, days);
    const weight = unseen === 0 ? 1 : prior.deviation ** 2 / (prior.deviation ** 2 + unseen ** 2);
    // It was the more wrong for the days it knew nothing of.
    sum += weight * Math.sqrt(weight) * Math.abs(errorOf(past, forecast, days));
    weights += weight;
  }
  const own = ((ended.length + days - 1) / days) * (weights / ended.length);
  const observations = prior.observations + own;
  const deviation =
    (prior.observations * prior.deviation + (own * normalConsistency * sum) / weights) / observations;
  return { deviation, observations };
}

function errorOf(
  { usedBefore }: RollingForecasts,
  { origin, expectedByDay }: OriginForecast,
  days: number,
): number {
  const used = (usedBefore[origin + days * hoursPerDay] ?? 0) - (usedBefore[origin] ?? 0);
  const expected = expectedByDay[days] ?? 0;
  const meanByDay = ((usedBefore[origin] ?? 0) / origin) * hoursPerDay;
  const negligible = days * (negligibleSeconds + negligiblePart * meanByDay);
  const error = Math.log((used + negligible) / (expected + negligible));
  return Math.max(-worstError, Math.min(worstError, error));
}

/**
 * How many standard errors away a bound is if the error is known from few observations: the quantile of Student's t by
 * its expansion in 1/ν (Abramowitz and Stegun 26.7.5).
 *
 * @param normal the same quantile of the normal distribution.
 */
export function widenForFew(normal: number, degreesOfFreedom: number): number {
  const freedom = Math.max(3, degreesOfFreedom);
  const first = (normal ** 3 + normal) / 4;
  const second = (5 * normal ** 5 + 16 * normal ** 3 + 3 * normal) / 96;
  return normal + first / freedom + second / freedom ** 2;
}

/** Days that show what days of their kind are like; a weekend has two. */
const enoughDays = { workday: 2, weekend: 4 } as const;

/** Standard deviation of the logarithm of the use of a kind of day, by that of the other kind alone. */
const unseenDeviation = 1.2;

const weekendFrom = 5 * hoursPerDay;
const longestLookHours = 28 * hoursPerDay;

/**
 * How far the days from an hour on can be from what is expected because days of their kind were hardly seen, as a
 * standard deviation of the logarithm.
 */
function deviationOfUnseen(slots: Uint8Array, origin: number, days: number): number {
  const known = Math.min(origin, longestLookHours);
  const weekendHours = countWeekend(slots, 0, known);
  const workday = Math.min(1, (known - weekendHours) / hoursPerDay / enoughDays.workday);
  const weekend = Math.min(1, weekendHours / hoursPerDay / enoughDays.weekend);
  if (workday === 1 && weekend === 1) return 0;
  const hours = Math.max(1, Math.min(Math.round(days * hoursPerDay), slots.length - origin));
  const weekendPart = countWeekend(slots, origin, origin + hours) / hours;
  return unseenDeviation * (weekendPart * (1 - weekend) + (1 - weekendPart) * (1 - workday));
}

function countWeekend(slots: Uint8Array, from: number, until: number): number {
  let hours = 0;
  for (let hour = from; hour < until; hour += 1) if ((slots[hour] ?? 0) >= weekendFrom) hours += 1;
  return hours;
}
