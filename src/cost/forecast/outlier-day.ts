import { medianOf, spreadAround } from './robust-statistic.ts';
import { daysPerWeek, hoursPerDay } from './week-slot.ts';

/** A day this many standard deviations above the usual, alone between usual days, says nothing of the days to come. */
const spikeDeviations = 5;
/** Days are taken to vary by at least this part of the usual day. */
const leastSpreadPart = 0.1;
const leastDays = 7;
/** After so many weeks each weekday has a usual amount of its own. */
const leastWeeks = 3;

/**
 * The weight of each day, by days of 24 hours that end with the series, the last one first: less than 1 for an outlier,
 * so that it counts as the highest usual day. Undefined if no day is one.
 */
export function weighOutlierDays(hours: Float64Array, from: number, until: number): Float64Array | undefined {
  const dayCount = Math.floor((until - from) / hoursPerDay);
  if (dayCount < leastDays) return undefined;
  const days = Array.from({ length: dayCount }, (_, day) => useOfDay(hours, until - day * hoursPerDay));
  const usual = usualDays(days);
  const anomalies = days.map((used, day) => used - (usual[day] ?? 0));
  const mean = usual.reduce((sum, value) => sum + value, 0) / dayCount;
  const limit = spikeDeviations * Math.max(spreadAround(anomalies, 0), leastSpreadPart * mean);
  const isSpike = (day: number) => (anomalies[day] ?? 0) > limit;
  if (mean === 0 || !anomalies.some((_, day) => isSpike(day))) return undefined;
  return Float64Array.from(days, (used, day) =>
    // Two such days in a row may be how it will go on.
    isSpike(day) && !isSpike(day - 1) && !isSpike(day + 1) ? ((usual[day] ?? 0) + limit) / used : 1,
  );
}

/** The median of the same weekday, or of all days while there are few weeks. */
function usualDays(days: readonly number[]): readonly number[] {
  if (days.length < leastWeeks * daysPerWeek) {
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
