import { weighOutlierDays } from './outlier-day.ts';
import { daysPerWeek, hoursPerDay, hoursPerWeek } from './week-slot.ts';

/** Some hours of a series: from one index up to another. */
export interface HourSpan {
  readonly hours: Float64Array;
  /** By the same index. */
  readonly slots: Uint8Array;
  readonly from: number;
  readonly until: number;
}

/** Compute seconds in each of the 168 hours of a week, at the present level. */
export type WeeklyHabit = Float64Array;

/** The rhythm of a week changes slowly, how much is used changes faster. */
const rhythmHalfLifeHours = 28 * hoursPerDay;
const levelHalfLifeHours = 7 * hoursPerDay;

/** After so many days of its own, a weekday is believed as much as the mean of all days. */
const dayTrustDays = 0.5;
/** After so many weeks, an hour of the week is believed as much as its hour of the day times its weekday. */
const slotTrustWeeks = 2;

/** The habit of a series. Days that stand out alone count as much as the highest usual day. */
export function fitHabit({ hours, slots, from, until }: HourSpan): WeeklyHabit {
  const dayTrust = weighOutlierDays(hours, from, until);
  const sums = new Float64Array(hoursPerWeek);
  const weights = new Float64Array(hoursPerWeek);
  const levelWeights = new Float64Array(hoursPerWeek);
  const rhythmDecay = 0.5 ** (1 / rhythmHalfLifeHours);
  const levelDecay = 0.5 ** (1 / levelHalfLifeHours);
  let level = 0;
  let weight = 1;
  let levelWeight = 1;
  for (let hour = until - 1; hour >= from; hour -= 1) {
    const slot = slots[hour] ?? 0;
    const trust = dayTrust?.[Math.floor((until - 1 - hour) / hoursPerDay)] ?? 1;
    const used = (hours[hour] ?? 0) * trust;
    sums[slot] = (sums[slot] ?? 0) + weight * used;
    weights[slot] = (weights[slot] ?? 0) + weight;
    levelWeights[slot] = (levelWeights[slot] ?? 0) + levelWeight;
    level += levelWeight * used;
    weight *= rhythmDecay;
    levelWeight *= levelDecay;
  }
  const rhythm = shapeOf(sums, weights);
  const expectedLevel = rhythm.reduce((sum, value, slot) => sum + value * (levelWeights[slot] ?? 0), 0);
  return expectedLevel > 0 ? rhythm.map(value => (value * level) / expectedLevel) : rhythm;
}

/** Each hour of the week from its own past, its hour of the day and its weekday: as far as there is enough of each. */
function shapeOf(sums: Float64Array, weights: Float64Array): Float64Array {
  const hourMeans = meanByHour(sums, weights);
  const mean = hourMeans.reduce((sum, value) => sum + value, 0) / hoursPerDay;
  const trusted = dayTrustDays * hoursPerDay * mean;
  const dayFactors = Float64Array.from({ length: daysPerWeek }, (_, day) => {
    let used = trusted;
    let usual = trusted;
    for (let hour = 0; hour < hoursPerDay; hour += 1) {
      const slot = day * hoursPerDay + hour;
      used += sums[slot] ?? 0;
      usual += (weights[slot] ?? 0) * (hourMeans[hour] ?? 0);
    }
    return usual > 0 ? used / usual : 1;
  });
  return sums.map((sum, slot) => {
    const base = (hourMeans[slot % hoursPerDay] ?? 0) * (dayFactors[Math.floor(slot / hoursPerDay)] ?? 1);
    return (sum + slotTrustWeeks * base) / ((weights[slot] ?? 0) + slotTrustWeeks);
  });
}

function meanByHour(sums: Float64Array, weights: Float64Array): Float64Array {
  return Float64Array.from({ length: hoursPerDay }, (_, hour) => {
    let sum = 0;
    let weight = 0;
    for (let slot = hour; slot < hoursPerWeek; slot += hoursPerDay) {
      sum += sums[slot] ?? 0;
      weight += weights[slot] ?? 0;
    }
    return weight > 0 ? sum / weight : 0;
  });
}
