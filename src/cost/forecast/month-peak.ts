import { smallest } from '../../resources/extreme.ts';
import type { HourlyUsage } from '../../resources/usage/hourly-usage.ts';
import { medianOf } from './robust-statistic.ts';
import { hoursPerDay, hoursPerWeek } from './week-slot.ts';

/** How many times their usual amount is used on days about the end of a month, by the day; absent where it is usual. */
export type MonthPeaks = ReadonlyMap<number, number>;

/** A peak that was seen once may have been anything. */
const leastMonths = 2;
/** A lower one is not worth telling from a busy day. */
const leastRatio = 1.4;
/** A peak is higher than this part of all other days. */
const ordinaryPart = 0.95;
const comparedWeeks = 3;

/**
 * Learns the peaks at the ends of months that came every time, by days that were usual for their time of the week.
 *
 * @param usedBefore the use before each hour.
 * @param turns the day about the end of a month of each hour.
 * @param origin nothing from this hour on is known.
 */
export function learnMonthPeaks(usedBefore: Float64Array, turns: Int8Array, origin: number): MonthPeaks {
  const days = Map.groupBy(dayBeginnings(turns, origin), from => turns[from] ?? 0);
  const ratiosOn = (turn: number) =>
    (days.get(turn) ?? []).flatMap(from => ratioOf(usedBefore, turns, from, origin) ?? []);
  const high = [...days.keys()]
    .filter(turn => turn !== 0)
    .map(turn => ({ turn, seen: ratiosOn(turn) }))
    .filter(({ seen }) => seen.length >= leastMonths && smallest(seen) > leastRatio);
  // Ordinary days are many, and most projects have no peak that they would be compared with.
  if (high.length === 0) return new Map();
  const ordinary = ratiosOn(0).toSorted((a, b) => a - b);
  const limit = ordinary[Math.floor(ordinaryPart * ordinary.length)] ?? leastRatio;
  const peaks = high.filter(({ seen }) => smallest(seen) > limit);
  return new Map(peaks.map(({ turn, seen }) => [turn, meanRatio(seen)]));
}

/** The series without the peaks, at their usual level. */
export function levelPeaks(use: HourlyUsage, turns: Int8Array, peaks: MonthPeaks): HourlyUsage {
  const level = (hours: Float64Array) => hours.map((used, hour) => used / (peaks.get(turns[hour] ?? 0) ?? 1));
  return {
    ...use,
    steady: level(use.steady),
    young: use.young.map(project => ({ ...project, hours: level(project.hours) })),
    gone: use.gone.map(project => ({ ...project, hours: level(project.hours) })),
  };
}

/** Whole days that end before an hour, in step with the days about the ends of months. */
function dayBeginnings(turns: Int8Array, origin: number): readonly number[] {
  const first = turns.findIndex((turn, hour) => hour > 0 && turn !== turns[hour - 1]) % hoursPerDay;
  if (first < 0) return [];
  const days = Math.floor((origin - first) / hoursPerDay);
  return Array.from({ length: Math.max(0, days) }, (_, day) => first + day * hoursPerDay);
}

/** The use of a day against the usual one of that day of the week, some weeks before and after. */
function ratioOf(
  usedBefore: Float64Array,
  turns: Int8Array,
  from: number,
  origin: number,
): number | undefined {
  const usedFrom = (hour: number) => (usedBefore[hour + hoursPerDay] ?? 0) - (usedBefore[hour] ?? 0);
  const others: number[] = [];
  for (let week = -comparedWeeks; week <= comparedWeeks; week += 1) {
    const other = from + week * hoursPerWeek;
    const isKnown = other >= 0 && other + hoursPerDay <= origin;
    if (week !== 0 && isKnown && turns[other] === 0) others.push(usedFrom(other));
  }
  const usual = others.length < 2 ? 0 : medianOf(others);
  return usual > 0 ? usedFrom(from) / usual : undefined;
}

function meanRatio(ratios: readonly number[]): number {
  return Math.exp(ratios.reduce((sum, ratio) => sum + Math.log(ratio), 0) / ratios.length);
}
