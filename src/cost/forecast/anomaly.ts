import { largest } from '../../resources/extreme.ts';
import { medianOf, spreadAround } from './robust-statistic.ts';
import { hoursPerDay, hoursPerWeek } from './week-slot.ts';

/** The latest usage of a project against its habit at that time of the week, in compute seconds. */
export interface AnomalyCheck {
  /** Length of the compared window, which ends with the last known hour. */
  readonly windowHours: number;
  readonly usedSeconds: number;
  readonly usualSeconds: number;
  /** Used minus usual. */
  readonly differenceSeconds: number;
  /** The difference in standard deviations of the usual amount. */
  readonly score: number;
  /** Much more than usual, in amount, in proportion and against how much the project varies. */
  readonly isAnomaly: boolean;
}

/**
 * A project's compute seconds by hour, with the slot of the week of each; only the hours from `from` to `until` count.
 */
export interface ProjectHours {
  readonly hours: Float64Array;
  readonly slots: Uint8Array;
  readonly from: number;
  readonly until: number;
}

/** A day shows a slow rise; few hours show a runaway before the night is over. */
export const windowsHours = [24, 3] as const;

/** The least history that shows what weekdays are like, and what a day is like. */
const leastWeeklyHours = 2 * hoursPerWeek;
const leastDailyHours = 4 * hoursPerDay;
const lookBackWeeks = 8;
const lookBackDays = 13;

/** Usage is taken to vary by at least this part of the usual amount. */
const leastSpreadPart = 0.1;
const anomalousScore = 5;
const anomalousRatio = 1.5;

/**
 * Compares each window with the same hours of past weeks, or of past days while there are less than two weeks. Empty
 * while there are less than four days.
 *
 * @param minimumSeconds a smaller difference is no anomaly, however unusual: pennies do not page.
 */
export function checkAnomalies(project: ProjectHours, minimumSeconds: number): readonly AnomalyCheck[] {
  return windowsHours.flatMap(windowHours => {
    const past = pastWindows(project, windowHours);
    if (past === undefined) return [];
    const usedSeconds = sumOf(project.hours, project.until - windowHours, project.until);
    const usualSeconds = medianOf(past);
    const differenceSeconds = usedSeconds - usualSeconds;
    const spread = Math.max(
      spreadAround(past, usualSeconds),
      leastSpreadPart * usualSeconds,
      leastSpreadPart * minimumSeconds,
    );
    const score = differenceSeconds / spread;
    const isAnomaly =
      differenceSeconds >= minimumSeconds &&
      score >= anomalousScore &&
      usedSeconds >= anomalousRatio * Math.max(largest(past), mostLately(project, windowHours));
    return [{ windowHours, usedSeconds, usualSeconds, differenceSeconds, score, isAnomaly }];
  });
}

/** Usage in the same hours of past weeks or days, and an hour before and after. */
function pastWindows({ hours, slots, from, until }: ProjectHours, windowHours: number): number[] | undefined {
  const known = until - from;
  if (known < leastDailyHours) return undefined;
  const isWeekly = known >= leastWeeklyHours + windowHours;
  const step = isWeekly ? hoursPerWeek : hoursPerDay;
  const steps = isWeekly ? lookBackWeeks : lookBackDays;
  const slot = slots[until - 1] ?? 0;
  const past: number[] = [];
  for (let back = 1; back <= steps; back += 1) {
    for (let shift = -2; shift <= 2; shift += 1) {
      const end = until - back * step + shift;
      if (end - windowHours < from || end > until - windowHours) continue;
      const apart = Math.abs((slots[end - 1] ?? 0) - slot) % step;
      if (Math.min(apart, step - apart) > 1) continue;
      past.push(sumOf(hours, end - windowHours, end));
    }
  }
  return past.length >= 3 ? past : undefined;
}

/** The highest usage in so many hours on end before the last day: a project may work at odd hours. */
function mostLately({ hours, from, until }: ProjectHours, windowHours: number): number {
  const end = until - hoursPerDay;
  const begin = Math.max(from, end - lookBackDays * hoursPerDay);
  let used = 0;
  let most = 0;
  for (let hour = begin; hour < end; hour += 1) {
    used += hours[hour] ?? 0;
    if (hour - begin >= windowHours) used -= hours[hour - windowHours] ?? 0;
    most = Math.max(most, used);
  }
  return most;
}

function sumOf(hours: Float64Array, from: number, until: number): number {
  let sum = 0;
  for (let hour = from; hour < until; hour += 1) sum += hours[hour] ?? 0;
  return sum;
}
