import type { BillingPeriod } from '../../resources/price-book.ts';
import { billingCalendar } from './billing-calendar.ts';
import { askForBilling, calendarMonths } from './billing-name.ts';
import { type Calendar, type Period, sameDatesInUtc, zoneCalendar } from './calendar.ts';
import type { PeriodContext, ReportPeriod } from './report-period.ts';
import { zoneClockAt } from './zone-clock.ts';

/**
 * The text that asks for the period before one: the billing period, year, month or day before it, or else as much time
 * as it has, up to its beginning.
 */
export function namePeriodBefore(
  { label, fromAt, untilAt }: ReportPeriod,
  { zone, billing = calendarMonths }: PeriodContext,
): string {
  if (/^(last-)?billing(:|$)/.test(label))
    return askForBilling(billingCalendar(billing)(fromAt - 1), billing);
  const dayBefore = zoneClockAt(zone, fromAt - 1)
    .toPlainDate()
    .toString();
  if (/^\d{4}-\d\d-\d\d$/.test(label)) return dayBefore;
  if (/^(this-month|last-month|\d{4}-\d\d)$/.test(label)) return dayBefore.slice(0, 'yyyy-mm'.length);
  if (/^\d{4}$/.test(label)) return dayBefore.slice(0, 'yyyy'.length);
  if (/^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/.test(label)) {
    const [first, end] = [fromAt, untilAt].map(at => zoneClockAt(zone, at).toPlainDate());
    if (first !== undefined && end !== undefined) return `${first.subtract(first.until(end))}..${first}`;
  }
  return [2 * fromAt - untilAt, fromAt].map(showInstant).join('..');
}

function showInstant(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}

/** A period as a whole, also where it is asked for before its end, and the one before it. */
export interface PeriodPair {
  readonly whole: Period;
  readonly before: Period;
  /** The billing periods that begin in this stretch belong to the one before. */
  readonly billedBefore: Period;
}

/** Pairs a period with the one before: the month before a month, and so with years, days, billing periods and others. */
export function pairPeriod(period: ReportPeriod, billing: BillingPeriod): PeriodPair {
  const { label, fromAt, untilAt, zone } = period;
  const isBilling = label.includes('billing');
  const calendar = isBilling ? billingCalendar(billing) : namedCalendar(label, zone);
  if (calendar === undefined) {
    const before = { fromAt: fromAt - (untilAt - fromAt), untilAt: fromAt };
    return { whole: { fromAt, untilAt }, before, billedBefore: before };
  }
  const before = calendar(fromAt - 1);
  return {
    whole: calendar(fromAt),
    before,
    billedBefore: isBilling ? before : sameDatesInUtc(before, zone),
  };
}

/** The calendar of periods such as `2026-10`; undefined for stretches between two ends and the last hours or days. */
function namedCalendar(label: string, zone: string): Calendar | undefined {
  if (label.endsWith('-month') || /^\d{4}-\d\d$/.test(label)) return zoneCalendar('month', zone);
  if (/^\d{4}$/.test(label)) return zoneCalendar('year', zone);
  return /^\d{4}-\d\d-\d\d$/.test(label) ? zoneCalendar('day', zone) : undefined;
}
