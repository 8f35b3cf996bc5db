import { Temporal } from 'temporal-polyfill';
import type { BillingPeriod } from '../../resources/price-book.ts';

/** A stretch of time in epoch milliseconds; `untilAt` is the first instant after it. */
export interface Period {
  readonly fromAt: number;
  readonly untilAt: number;
}

/** Gives the period that an instant lies in: a calendar cuts all time into periods without gaps. */
export type Calendar = (at: number) => Period;

/** Weeks begin on Monday. */
export type CalendarUnit = 'day' | 'week' | 'month' | 'year';

/** Days, weeks, months or years by the clocks of an IANA zone, however long they are there. */
export function zoneCalendar(unit: CalendarUnit, zone: string): Calendar {
  const { firstDayOf, length } = units[unit];
  return at => {
    let day = firstDayOf(zoneClockAt(zone, at).toPlainDate());
    let fromAt = startOfDay(zone, day);
    let untilAt = fromAt;
    // Clocks that go back across midnight show a day again that is over; and a zone may leave a day out.
    do {
      fromAt = untilAt;
      day = day.add(length);
      untilAt = startOfDay(zone, day);
    } while (untilAt <= at);
    return { fromAt, untilAt };
  };
}

/**
 * The first instant of a day in an IANA zone: its midnight, the first of two, or the instant that clocks jump to when
 * the day has none.
 *
 * @returns epoch milliseconds.
 */
export function startOfDay(zone: string, day: Temporal.PlainDate): number {
  return day.toZonedDateTime(zone).epochMilliseconds;
}

interface UnitRule {
  /** The first day of the unit that a day lies in. */
  readonly firstDayOf: (day: Temporal.PlainDate) => Temporal.PlainDate;
  readonly length: Temporal.DurationLike;
}

const units: Readonly<Record<CalendarUnit, UnitRule>> = {
  day: { firstDayOf: day => day, length: { days: 1 } },
  week: { firstDayOf: day => day.subtract({ days: day.dayOfWeek - 1 }), length: { weeks: 1 } },
  month: { firstDayOf: day => day.with({ day: 1 }), length: { months: 1 } },
  year: { firstDayOf: day => day.with({ month: 1, day: 1 }), length: { years: 1 } },
};

/** The whole periods of a calendar that share some time with a stretch, in order. */
export function periodsBetween(calendar: Calendar, { fromAt, untilAt }: Period): Period[] {
  const periods: Period[] = [];
  for (let at = fromAt; at < untilAt; ) {
    const period = calendar(at);
    periods.push(period);
    at = period.untilAt;
  }
  return periods;
}

/** The time that two stretches share; it ends before it begins where they share none. */
export function clip(period: Period, stretch: Period): Period {
  return {
    fromAt: Math.max(period.fromAt, stretch.fromAt),
    untilAt: Math.min(period.untilAt, stretch.untilAt),
  };
}

/**
 * The days of UTC with the dates that a period of whole days has in its zone. The billing periods that begin in them
 * belong to the period, with their minimum charges: so a month has the billing period of that month wherever it is
 * read, and one period takes up where the last one ends.
 */
export function sameDatesInUtc({ fromAt, untilAt }: Period, zone: string): Period {
  return { fromAt: dateInUtc(fromAt, zone), untilAt: dateInUtc(untilAt, zone) };
}

function dateInUtc(at: number, zone: string): number {
  return midnightInUtc(zoneClockAt(zone, at));
}

/** Midnight of UTC of a date that the clocks of a zone show, epoch milliseconds. */
export function midnightInUtc({ year, month, day }: Pick<Temporal.PlainDate, 'year' | 'month' | 'day'>) {
  return Date.UTC(year, month - 1, day);
}

export interface ReportPeriod extends Period {
  /** As it was asked for. */
  readonly label: string;
  /** IANA zone of its days: that of UTC for billing periods. */
  readonly zone: string;
  /** The billing periods that begin in this stretch belong to it, with their minimum charges. */
  readonly billedStretch: Period;
}

export interface PeriodContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA zone whose days, months and years are meant. */
  readonly zone: string;
  /** The billing periods of the price book; without one they are months of UTC. */
  readonly billing?: BillingPeriod | undefined;
}

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
