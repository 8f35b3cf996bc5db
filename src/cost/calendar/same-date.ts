import type { Period } from './calendar.ts';
import { zoneClockAt } from './zone-clock.ts';

/**
 * The days of UTC with the dates that a period of whole days has in its zone. The billing periods that begin in them
 * belong to the period, with their minimum charges: so a month has the billing period of that month wherever it is
 * read, and one period takes up where the last one ends.
 */
export function sameDatesInUtc({ fromAt, untilAt }: Period, zone: string): Period {
  return { fromAt: dateInUtc(fromAt, zone), untilAt: dateInUtc(untilAt, zone) };
}

/** Midnight of UTC of the date that the clocks of a zone show, epoch milliseconds. */
function dateInUtc(at: number, zone: string): number {
  const { year, month, day } = zoneClockAt(zone, at);
  return Date.UTC(year, month - 1, day);
}
