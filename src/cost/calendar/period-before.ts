import type { BillingPeriod } from '../../resources/price-book.ts';
import { billingCalendar } from './billing-calendar.ts';
import { askForBilling, calendarMonths, instantOf } from './billing-name.ts';
import {
  type Period,
  type PeriodContext,
  type ReportPeriod,
  sameDatesInUtc,
  zoneClockAt,
} from './calendar.ts';
import { before, boundNamed, namedAt, nameOf } from './named-period.ts';

/**
 * The text that asks for the period before one: the billing period before it, as many years, quarters, months or days, or
 * else as much time as it has, up to its beginning.
 */
export function namePeriodBefore(
  { label, fromAt, untilAt }: ReportPeriod,
  { zone, billing = calendarMonths }: PeriodContext,
): string {
  if (/^(last-)?billing(:|$)/.test(label))
    return askForBilling(billingCalendar(billing)(fromAt - 1), billing);
  const named = namedAt(label, fromAt, zone);
  if (named !== undefined) return nameOf(before(named));
  if (/^\d{4}-\d\d-\d\d\.\.\d{4}-\d\d-\d\d$/.test(label)) {
    const [first, end] = [fromAt, untilAt].map(at => zoneClockAt(zone, at).toPlainDate());
    if (first !== undefined && end !== undefined) return `${first.subtract(first.until(end))}..${first}`;
  }
  return [2 * fromAt - untilAt, fromAt].map(instantOf).join('..');
}

/** A period as a whole, also where it is asked for before its end, and the one before it. */
export interface PeriodPair {
  readonly whole: Period;
  readonly before: Period;
  /** The billing periods that begin in this stretch belong to the one before. */
  readonly billedBefore: Period;
}

/** Pairs a period with the one before: the month before a month, three before three, and so with quarters, years, days, billing periods and others. */
export function pairPeriod(period: ReportPeriod, billing: BillingPeriod): PeriodPair {
  const { label, fromAt, untilAt, zone } = period;
  if (label.includes('billing')) {
    const calendar = billingCalendar(billing);
    const past = calendar(fromAt - 1);
    return { whole: calendar(fromAt), before: past, billedBefore: past };
  }
  const named = namedAt(label, fromAt, zone);
  if (named === undefined) {
    const past = { fromAt: fromAt - (untilAt - fromAt), untilAt: fromAt };
    return { whole: { fromAt, untilAt }, before: past, billedBefore: past };
  }
  const past = boundNamed(before(named), zone);
  return { whole: boundNamed(named, zone), before: past, billedBefore: sameDatesInUtc(past, zone) };
}
