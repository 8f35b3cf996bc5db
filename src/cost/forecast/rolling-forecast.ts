import { hourMs } from '../../resources/duration.ts';
import { minOf } from '../../resources/min-max.ts';
import type { HourlyUsage } from '../../resources/usage/hourly-usage.ts';
import { type TurnOf, turnsOfHours, zoneTurnOf } from './month-turn.ts';
import { medianOf } from './robust-statistic.ts';
import { hoursPerDay, hoursPerWeek, type SlotOf, slotsOfHours, zoneSlotOf } from './week-slot.ts';
import { forecastWeek } from './weekly-forecast.ts';

/** Less than two days of history say nothing of a month. */
export const leastHistoryHours = 2 * hoursPerDay;

/** Days up to which errors are learnt from periods; longer periods are forecast with the same spread. */
export const longestDays = 31;

/** A forecast as it would have been made at some past moment. */
export interface OriginForecast {
  /** Index of the hour it begins with. */
  readonly origin: number;
  /** Forecast usage of the first n days together; 0 at 0. */
  readonly expectedByDay: Float64Array;
}

/** Usage of a scope, and the forecasts as they would have been made once a day since there was enough history. */
export interface RollingForecasts {
  readonly use: HourlyUsage;
  readonly slotOf: SlotOf;
  readonly slots: Uint8Array;
  readonly turnOf: TurnOf;
  readonly turns: Int8Array;
  /** Usage of all projects ever seen before each hour; one value more than there are hours. */
  readonly usedBefore: Float64Array;
  /** The latest first, which is the one made now. */
  readonly forecasts: readonly OriginForecast[];
}

/**
 * Makes the forecasts of all days so far. This takes most of the time of an analysis: keep it while no new hour is
 * known.
 */
export function rollForecasts(use: HourlyUsage, clock: HourClock): RollingForecasts {
  const known = use.steady.length;
  const past = { use, ...placeHours(use.firstHourAt, known, clock), usedBefore: addUpHours(use) };
  const forecasts: OriginForecast[] = [];
  for (let origin = known; origin >= leastHistoryHours; origin -= hoursPerDay) {
    forecasts.push({ origin, expectedByDay: expectDays(past, origin) });
  }
  return { ...past, forecasts };
}

/** Places an instant in the week and about the end of a month by the clocks of one zone. */
export interface HourClock {
  readonly slotOf: SlotOf;
  readonly turnOf: TurnOf;
}

/** @param zone an IANA zone. */
export function hourClockOf(zone: string): HourClock {
  return { slotOf: zoneSlotOf(zone), turnOf: zoneTurnOf(zone) };
}

/** The place in week and month of each hour that is known, and of those to come: it is the same for all scopes. */
export type HourPlaces = Pick<RollingForecasts, 'slotOf' | 'slots' | 'turnOf' | 'turns'>;

/** @param known how many hours are known. */
export function placeHours(firstHourAt: number, known: number, { slotOf, turnOf }: HourClock): HourPlaces {
  const hourCount = known + longestDays * hoursPerDay;
  return {
    slotOf,
    slots: slotsOfHours(firstHourAt, hourCount, slotOf),
    turnOf,
    turns: turnsOfHours(firstHourAt, hourCount, turnOf),
  };
}

type Past = Pick<RollingForecasts, 'use' | 'slots' | 'turns' | 'usedBefore'>;

/** Forecast usage by the hour of the week and the day about the end of a month, by the knowledge at an hour. */
export function expectHours({ use, slots, turns, usedBefore }: Past, origin: number) {
  const peaks = learnMonthPeaks(usedBefore, turns, origin);
  const habit = forecastWeek(
    peaks.size === 0 ? use : levelPeaks(use, turns, peaks),
    { slots, turns },
    origin,
  );
  return (slot: number, turn: number): number => (habit[slot] ?? 0) * (peaks.get(turn) ?? 1);
}

/** The end of known usage in epoch milliseconds, where forecasts begin. */
export function knownUntil({ firstHourAt, steady }: HourlyUsage): number {
  return firstHourAt + steady.length * hourMs;
}

function expectDays(past: Past, origin: number): Float64Array {
  const { slots, turns } = past;
  const expect = expectHours(past, origin);
  const byDay = new Float64Array(longestDays + 1);
  let sum = 0;
  for (let ahead = 0; ahead < longestDays * hoursPerDay; ahead += 1) {
    sum += expect(slots[origin + ahead] ?? 0, turns[origin + ahead] ?? 0);
    if ((ahead + 1) % hoursPerDay === 0) byDay[(ahead + 1) / hoursPerDay] = sum;
  }
  return byDay;
}

/**
 * Usage before each hour; one value more than there are hours.
 *
 * @param usedBefore filled and returned.
 */
export function addUpHours(
  { steady, young, gone }: HourlyUsage,
  usedBefore: Float64Array = new Float64Array(steady.length + 1),
): Float64Array {
  usedBefore.fill(0);
  for (const hours of [steady, ...young.map(({ hours }) => hours), ...gone.map(({ hours }) => hours)]) {
    for (let hour = 0; hour < steady.length; hour += 1) {
      usedBefore[hour + 1] = (usedBefore[hour + 1] ?? 0) + (hours[hour] ?? 0);
    }
  }
  for (let hour = 1; hour < usedBefore.length; hour += 1) {
    usedBefore[hour] = (usedBefore[hour] ?? 0) + (usedBefore[hour - 1] ?? 0);
  }
  return usedBefore;
}

/** How many times their usual amount is used on days about the end of a month, by the day; absent where it is usual. */
type MonthPeaks = ReadonlyMap<number, number>;

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
    .filter(({ seen }) => seen.length >= leastMonths && minOf(seen) > leastRatio);
  // Ordinary days are many, and most projects have no peak that they would be compared with.
  if (high.length === 0) return new Map();
  const ordinary = ratiosOn(0).toSorted((a, b) => a - b);
  const limit = ordinary[Math.floor(ordinaryPart * ordinary.length)] ?? leastRatio;
  const peaks = high.filter(({ seen }) => minOf(seen) > limit);
  return new Map(peaks.map(({ turn, seen }) => [turn, meanRatio(seen)]));
}

/** The series without the peaks, at their usual level. */
function levelPeaks(use: HourlyUsage, turns: Int8Array, peaks: MonthPeaks): HourlyUsage {
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
