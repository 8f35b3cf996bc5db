import { hourMs } from '../../resources/duration.ts';
import { zoneClockAt } from '../calendar/calendar.ts';

export const hoursPerDay = 24;
export const daysPerWeek = 7;
export const hoursPerWeek = hoursPerDay * daysPerWeek;

/**
 * Gives the hour of the week, 0 to 167, that an instant lies in by the clocks of some zone; 0 is the first of Monday.
 */
export type SlotOf = (at: number) => number;

/** The first of January 1970 was a Thursday. */
const mondayOffsetHours = 3 * hoursPerDay;

/** The hours of the week of UTC. */
export const utcSlotOf: SlotOf = at => (Math.floor(at / hourMs) + mondayOffsetHours) % hoursPerWeek;

/** The hours of the week by the clocks of an IANA zone. */
export function zoneSlotOf(zone: string): SlotOf {
  if (zone === 'UTC') return utcSlotOf;
  return at => {
    const { dayOfWeek, hour } = zoneClockAt(zone, at);
    return (dayOfWeek - 1) * hoursPerDay + hour;
  };
}

/** The slots of a row of hours. */
export function slotsOfHours(firstHourAt: number, count: number, slotOf: SlotOf): Uint8Array {
  return Uint8Array.from({ length: count }, (_, hour) => slotOf(firstHourAt + hour * hourMs));
}
