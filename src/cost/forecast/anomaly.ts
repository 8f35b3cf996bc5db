import { maxOf } from '../../resources/min-max.ts';
import { medianOf, spreadAround } from './robust-statistic.ts';
import { daysPerWeek, hoursPerDay } from './week-slot.ts';

/** The latest use of a project against its habit at that time of the week, in the unit of its series. */
interface AnomalyCheck {
  /** Steps of the series that are compared, up to its end. */
  readonly window: number;
  readonly used: number;
  readonly usual: number;
  /** Used minus usual. */
  readonly difference: number;
  /** The difference in standard deviations of the usual amount. */
  readonly score: number;
  /** Much more than usual, in amount, in proportion and against how much the project varies. */
  readonly isAnomaly: boolean;
}

/**
 * Use of a project in each hour or day, with the slot of the week of each; only those from `from` to `until` count.
 */
interface ProjectSeries {
  readonly amounts: Float64Array;
  readonly slots: Uint8Array;
  readonly from: number;
  readonly until: number;
}

/** How finely a series is told, and what of it is compared. */
interface AnomalyGrid {
  readonly stepsPerDay: number;
  readonly windows: readonly number[];
  /** The least history that shows what weekdays are like. */
  readonly leastWeeks: number;
  /** Steps that past windows may lie earlier or later in the week: clocks change by an hour. */
  readonly slack: number;
}

/** A day shows a slow rise; few hours show a runaway before the night is over. */
const hourlyGrid: AnomalyGrid = {
  stepsPerDay: hoursPerDay,
  windows: [hoursPerDay, 3],
  leastWeeks: 2,
  slack: 1,
};

export const dailyGrid: AnomalyGrid = { stepsPerDay: 1, windows: [1], leastWeeks: 3, slack: 0 };

/** The least history that shows what a day is like. */
const leastDays = 4;
const leastPast = 3;
export const lookBackWeeks = 8;
const lookBackDays = 13;

/** Usage is taken to vary by at least this part of the usual amount. */
const leastSpreadPart = 0.1;
const anomalousScore = 5;
const anomalousRatio = 1.5;

/**
 * Compares each window with the same hours of past weeks, or of past days while there are few weeks. Empty while there are
 * less than four days.
 *
 * @param minimum a smaller difference is no anomaly, however unusual: pennies do not page.
 */
export function checkAnomalies(
  series: ProjectSeries,
  minimum: number,
  grid: AnomalyGrid = hourlyGrid,
): readonly AnomalyCheck[] {
  return grid.windows.flatMap(window => {
    const past = pastWindows(series, window, grid);
    if (past === undefined) return [];
    const used = sumOf(series.amounts, series.until - window, series.until);
    const usual = medianOf(past);
    const difference = used - usual;
    const spread = Math.max(
      spreadAround(past, usual),
      leastSpreadPart * Math.abs(usual),
      leastSpreadPart * minimum,
    );
    const score = difference / spread;
    const isAnomaly =
      difference >= minimum &&
      score >= anomalousScore &&
      used >= anomalousRatio * Math.max(maxOf(past), mostLately(series, window, grid));
    return [{ window, used, usual, difference, score, isAnomaly }];
  });
}

/** The highest difference of the windows with an anomaly; undefined where there is none. */
export function findAnomaly(...check: Parameters<typeof checkAnomalies>): number | undefined {
  const anomalies = checkAnomalies(...check).filter(({ isAnomaly }) => isAnomaly);
  return anomalies.length === 0 ? undefined : maxOf(anomalies.map(({ difference }) => difference));
}

/** Use in the same hours of past weeks or days, and a little before and after. */
function pastWindows(
  { amounts, slots, from, until }: ProjectSeries,
  window: number,
  { stepsPerDay, leastWeeks, slack }: AnomalyGrid,
): number[] | undefined {
  const known = until - from;
  const week = daysPerWeek * stepsPerDay;
  if (known < leastDays * stepsPerDay) return undefined;
  const isWeekly = known >= leastWeeks * week + window;
  const step = isWeekly ? week : stepsPerDay;
  const steps = isWeekly ? lookBackWeeks : lookBackDays;
  const slot = slots[until - 1] ?? 0;
  const past: number[] = [];
  for (let back = 1; back <= steps; back += 1) {
    for (let shift = -2 * slack; shift <= 2 * slack; shift += 1) {
      const end = until - back * step + shift;
      if (end - window < from || end > until - window) continue;
      const apart = Math.abs((slots[end - 1] ?? 0) - slot) % step;
      if (Math.min(apart, step - apart) > slack) continue;
      past.push(sumOf(amounts, end - window, end));
    }
  }
  return past.length >= leastPast ? past : undefined;
}

/** The highest use in this number of steps on end before the last day: a project may work at odd hours. */
function mostLately(
  { amounts, from, until }: ProjectSeries,
  window: number,
  { stepsPerDay }: AnomalyGrid,
): number {
  const end = until - stepsPerDay;
  const begin = Math.max(from, end - lookBackDays * stepsPerDay);
  let used = 0;
  let most = 0;
  for (let step = begin; step < end; step += 1) {
    used += amounts[step] ?? 0;
    if (step - begin >= window) used -= amounts[step - window] ?? 0;
    most = Math.max(most, used);
  }
  return most;
}

function sumOf(amounts: Float64Array, from: number, until: number): number {
  let sum = 0;
  for (let step = from; step < until; step += 1) sum += amounts[step] ?? 0;
  return sum;
}
