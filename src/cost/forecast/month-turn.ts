import { dayMs, hourMs } from '../../resources/duration.ts';
import { zoneClockAt } from '../calendar/calendar.ts';

/**
 * Gives the day about the end of a month that an instant lies in by the clocks of some zone: -1 is the last day of a
 * month, 1 the first, 0 any other day.
 */
export type TurnOf = (at: number) => number;

const lastDays = 3;
const firstDays = 2;

/** The days about the ends of months of UTC. */
export const utcTurnOf: TurnOf = at => {
  const daysLeft = new Date(at + lastDays * dayMs).getUTCDate();
  const day = new Date(at).getUTCDate();
  return turnOf(day, daysLeft < day ? daysLeft - lastDays - 1 : -Number.POSITIVE_INFINITY);
};

/** The days about the ends of months by the clocks of an IANA zone. */
export function zoneTurnOf(zone: string): TurnOf {
  if (zone === 'UTC') return utcTurnOf;
  return at => {
    const { day, daysInMonth } = zoneClockAt(zone, at);
    return turnOf(day, day - daysInMonth - 1);
  };
}

/** The days about the ends of months of a row of hours. */
export function turnsOfHours(firstHourAt: number, count: number, turnOfHour: TurnOf): Int8Array {
  return Int8Array.from({ length: count }, (_, hour) => turnOfHour(firstHourAt + hour * hourMs));
}

/** @param fromEnd -1 on the last day of a month. */
function turnOf(day: number, fromEnd: number): number {
  if (day <= firstDays) return day;
  return fromEnd >= -lastDays ? fromEnd : 0;
}
