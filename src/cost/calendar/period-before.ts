import { billingCalendar } from './billing-calendar.ts';
import { askForBilling, calendarMonths } from './billing-name.ts';
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
