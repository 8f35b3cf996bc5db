import { offsetAt } from '../calendar/zone-clock.ts';

export const hourMs = 3_600_000;
export const hoursPerDay = 24;
export const daysPerWeek = 7;
export const hoursPerWeek = hoursPerDay * daysPerWeek;

/** Which of the 168 hours of a week an instant is in, in some time zone; 0 is the first of Monday. */
export type SlotOf = (at: number) => number;

/** The first of January 1970 was a Thursday. */
const mondayOffsetHours = 3 * hoursPerDay;

/** The hours of the week of UTC. */
export const utcSlotOf: SlotOf = at => (Math.floor(at / hourMs) + mondayOffsetHours) % hoursPerWeek;

/** The hours of the week by the clocks of an IANA zone. */
export function zoneSlotOf(zone: string): SlotOf {
  return zone === 'UTC' ? utcSlotOf : at => utcSlotOf(at + offsetAt(zone, at));
}

/** The slots of a row of hours. */
export function slotsOfHours(firstHourAt: number, count: number, slotOf: SlotOf): Uint8Array {
  return Uint8Array.from({ length: count }, (_, hour) => slotOf(firstHourAt + hour * hourMs));
}
