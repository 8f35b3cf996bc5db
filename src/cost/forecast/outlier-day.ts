import { medianOf, spreadAround } from './robust-statistic.ts';
import { daysPerWeek, hoursPerDay } from './week-slot.ts';

/** A day or two this many standard deviations above the usual, between usual days, say nothing of the days to come. */
const spikeDeviations = 5;
/** Days are taken to vary by at least this part of the usual day. */
const leastSpreadPart = 0.1;
const leastDays = 7;
/** After so many weeks each weekday has a usual amount of its own. Before, a weekly job is like no other day. */
const leastWeeks = 3;
const youngSpreadPart = 1;

/** A series with its outliers cut: each counts as the highest usual day. Days of 24 hours end with the series. */
export function cutOutlierDays(hours: Float64Array, from: number, until: number): Float64Array {
  const dayCount = Math.floor((until - from) / hoursPerDay);
  if (dayCount < leastDays) return hours;
  const isYoung = dayCount < leastWeeks * daysPerWeek;
  const days = Array.from({ length: dayCount }, (_, day) => useOfDay(hours, until - day * hoursPerDay));
  const usual = usualDays(days, isYoung);
  const anomalies = days.map((used, day) => used - (usual[day] ?? 0));
  const mean = usual.reduce((sum, value) => sum + value, 0) / dayCount;
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
