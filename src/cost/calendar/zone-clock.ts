import { Temporal } from 'temporal-polyfill';

/**
 * The date and time that the clocks of a zone show at an instant.
 *
 * @param zone IANA name, as `Europe/Berlin`.
 * @param at epoch milliseconds.
 * @throws RangeError when there is no such zone.
 */
export function zoneClockAt(zone: string, at: number): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(Math.floor(at)).toZonedDateTimeISO(zone);
}
