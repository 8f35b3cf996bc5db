import { hourMs } from '../../resources/duration.ts';
import { sumOf } from '../../resources/sum.ts';
import type { HourlyUsage } from '../../resources/usage/hourly-usage.ts';
import { medianOf, spreadAround } from './robust-statistic.ts';
import { daysPerWeek, hoursPerDay, hoursPerWeek } from './week-slot.ts';

/** Compute seconds in each of the 168 hours of a week. */
type WeeklyHabit = Float64Array;

/** The hour of the week, and the day about the end of a month, of each hour of a series. */
interface Places {
  readonly slots: Uint8Array;
  readonly turns: Int8Array;
}

/** Some hours of a series: from one index up to another. */
interface HourSpan {
  readonly hours: Float64Array;
  readonly places: Places;
  readonly from: number;
  readonly until: number;
}

/** An hour of the week is expected by its own past as soon as it was seen, and by the rhythm of other hours until then. */
const rhythmTrustWeeks = 0.1;
/** A few hours tell little of the level of a new project: it is taken to have used nothing for this number of hours more. */
const levelTrustHours = 2;

const levelHalfLifeHours = 7 * hoursPerDay;
/** Days about the end of a month tell little of the days after them: they count as this part of another day. */
const turnTrust = 0.25;
/** By how much one week differs from the next while few are known, as a part of their mean. */
const firstWeekDifference = 0.1;

/**
 * Forecasts the usage in each hour of the week, by the knowledge at the beginning of an hour of the series: the sum of
 * the habits of the projects there are. Projects still to come or to go show in the errors of such forecasts.
 *
 * @param origin index of the hour at which the forecast is made.
 */
export function forecastWeek(use: HourlyUsage, places: Places, origin: number): WeeklyHabit {
  const originAt = use.firstHourAt + origin * hourMs;
  const habit = fitHabit({ hours: use.steady, places, from: 0, until: origin });
  const rhythm = rhythmOf(habit);
  for (const { bornAt, hours } of [...use.young, ...use.gone.filter(({ goneAt }) => goneAt > originAt)]) {
    if (bornAt >= originAt) continue;
    const from = Math.max(0, Math.floor((bornAt - use.firstHourAt) / hourMs));
    const own = fitHabit({ hours, places, from, until: origin }, rhythm);
    for (let slot = 0; slot < hoursPerWeek; slot += 1) habit[slot] = (habit[slot] ?? 0) + (own[slot] ?? 0);
  }
  return habit;
}

/**
 * The mean of each hour of the week, at the present level.
 *
 * @param rhythm of other projects, for hours of the week that were not seen; by default each is like its hour of the day.
 */
function fitHabit(span: HourSpan, rhythm?: WeeklyHabit): WeeklyHabit {
  const { from, until } = span;
  const { slots } = span.places;
  const hours = cutOutlierDays(span.hours, from, until);
  const sums = new Float64Array(hoursPerWeek);
  const weeks = new Float64Array(hoursPerWeek);
  for (let hour = from; hour < until; hour += 1) {
    const slot = slots[hour] ?? 0;
    sums[slot] = (sums[slot] ?? 0) + (hours[hour] ?? 0);
    weeks[slot] = (weeks[slot] ?? 0) + 1;
  }
  const usual = rhythm ?? rhythmOf(meanByHour(sums, weeks));
  const expected = (slot: number) => usual?.[slot] ?? 1;
  const known = sumOf(weeks.map((count, slot) => count * expected(slot)));
  const level = sumOf(sums) / (known + (rhythm === undefined ? 0 : levelTrustHours));
  const habit = sums.map(
    (sum, slot) =>
      (sum + rhythmTrustWeeks * level * expected(slot)) / ((weeks[slot] ?? 0) + rhythmTrustWeeks),
  );
  const shift = shiftFrom(habit, { ...span, hours });
  return habit.map(value => value * (1 + shift));
}

/** By what part of a habit use is apart from it lately, as far as that is more than weeks differ anyway. */
function shiftFrom(habit: WeeklyHabit, { hours, places, from, until }: HourSpan): number {
  const { slots, turns } = places;
  const decay = 0.5 ** (1 / levelHalfLifeHours);
  const weeks = new Float64Array(Math.floor((until - from) / hoursPerWeek));
  let used = 0;
  let usual = 0;
  let weight = 1;
  for (let hour = until - 1; hour >= from; hour -= 1) {
    const week = Math.floor((until - 1 - hour) / hoursPerWeek);
    if (week < weeks.length) weeks[week] = (weeks[week] ?? 0) + (hours[hour] ?? 0);
    const trust = weight * (turns[hour] === 0 ? 1 : turnTrust);
    used += trust * (hours[hour] ?? 0);
    usual += trust * (habit[slots[hour] ?? 0] ?? 0);
    weight *= decay;
  }
  if (usual === 0 || used === usual) return 0;
  const mean = sumOf(weeks) / weeks.length;
  const differences =
    mean > 0 ? Array.from(weeks.subarray(1), (week, next) => Math.abs(week - (weeks[next] ?? 0)) / mean) : [];
  const shift = used / usual - 1;
  // At half of what weeks differ by, a shift is believed by half.
  const doubt = medianOf([...differences, firstWeekDifference]) / 2;
  return shift ** 3 / (shift ** 2 + doubt ** 2);
}

/** A habit at a mean of 1; undefined where nothing was used. */
function rhythmOf(habit: WeeklyHabit): WeeklyHabit | undefined {
  const mean = sumOf(habit) / hoursPerWeek;
  return mean > 0 ? habit.map(value => value / mean) : undefined;
}

/** The mean of each hour of the day, for each hour of the week. */
function meanByHour(sums: Float64Array, weeks: Float64Array): WeeklyHabit {
  const means = Float64Array.from({ length: hoursPerDay }, (_, hour) => {
    let used = 0;
    let days = 0;
    for (let slot = hour; slot < hoursPerWeek; slot += hoursPerDay) {
      used += sums[slot] ?? 0;
      days += weeks[slot] ?? 0;
    }
    return days > 0 ? used / days : 0;
  });
  return sums.map((_, slot) => means[slot % hoursPerDay] ?? 0);
}

/** A day or two this many standard deviations above the usual, between usual days, say nothing of the days to come. */
const spikeDeviations = 5;
/** Days are taken to vary by at least this part of the usual day. */
const leastSpreadPart = 0.1;
const leastDays = 7;
/** Weeks after which each weekday has a usual amount of its own. Before, a weekly job is like no other day. */
const leastWeeks = 3;
const youngSpreadPart = 1;

/** A series with its outliers cut: each counts as the highest usual day. Days of 24 hours end with the series. */
function cutOutlierDays(hours: Float64Array, from: number, until: number): Float64Array {
  const dayCount = Math.floor((until - from) / hoursPerDay);
  if (dayCount < leastDays) return hours;
  const isYoung = dayCount < leastWeeks * daysPerWeek;
  const days = Array.from({ length: dayCount }, (_, day) => useOfDay(hours, until - day * hoursPerDay));
  const usual = usualDays(days, isYoung);
  const anomalies = days.map((used, day) => used - (usual[day] ?? 0));
  const mean = sumOf(usual) / dayCount;
  const leastSpread = (isYoung ? youngSpreadPart : leastSpreadPart) * mean;
  const limit = spikeDeviations * Math.max(spreadAround(anomalies, 0), leastSpread);
  const isSpike = (day: number) => (anomalies[day] ?? 0) > limit;
  // Three such days on end may be how it will go on.
  const isLasting = (day: number) =>
    [day - 2, day - 1, day].some(first => isSpike(first) && isSpike(first + 1) && isSpike(first + 2));
  const outliers = days.flatMap((_, day) => (isSpike(day) && !isLasting(day) ? [day] : []));
  if (mean === 0 || outliers.length === 0) return hours;
  const cut = Float64Array.from(hours);
  for (const day of outliers) {
    const end = until - day * hoursPerDay;
    const part = ((usual[day] ?? 0) + limit) / (days[day] ?? 1);
    for (let hour = end - hoursPerDay; hour < end; hour += 1) cut[hour] = (cut[hour] ?? 0) * part;
  }
  return cut;
}

/** The median of the same weekday, or of all days while there are few weeks. */
function usualDays(days: readonly number[], isYoung: boolean): readonly number[] {
  if (isYoung) {
    const usual = medianOf(days);
    return days.map(() => usual);
  }
  const byWeekday = Array.from({ length: daysPerWeek }, (_, weekday) =>
    medianOf(days.filter((_, day) => day % daysPerWeek === weekday)),
  );
  return days.map((_, day) => byWeekday[day % daysPerWeek] ?? 0);
}

function useOfDay(hours: Float64Array, end: number): number {
  let used = 0;
  for (let hour = end - hoursPerDay; hour < end; hour += 1) used += hours[hour] ?? 0;
  return used;
}
