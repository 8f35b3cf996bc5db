import { hoursPerDay } from './week-slot.ts';

/** So many days show what days of their kind are like; a weekend has two. */
const enoughDays = { workday: 2, weekend: 4 } as const;

/** Standard deviation of the logarithm of the use of a kind of day, by that of the other kind alone. */
const unseenDeviation = 1.2;

const weekendFrom = 5 * hoursPerDay;
const longestLookHours = 28 * hoursPerDay;

/**
 * How far the days from an hour on can be from what is expected because days of their kind were hardly seen, as a
 * standard deviation of the logarithm.
 */
export function deviationOfUnseen(slots: Uint8Array, origin: number, days: number): number {
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
