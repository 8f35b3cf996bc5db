import { dayMs, hourMs } from '../../resources/duration.ts';
import type { BillingPeriod } from '../../resources/price-book.ts';
import { dateOf } from '../../resources/utc-date.ts';
import { billingCalendar } from './billing-calendar.ts';
import { type Period, type PeriodContext, periodsBetween } from './calendar.ts';

/** Months of UTC, where there is no price book. */
export const calendarMonths: BillingPeriod = { kind: 'month', anchorDay: 1 };

/**
 * A billing period by its dates in UTC: `2026-10` for a month, `2026-10-15..2026-11-15` for other days, and instants for
 * one that begins within a day.
 */
export function labelBilling({ fromAt, untilAt }: Period): string {
  if (isMonth({ fromAt, untilAt })) return monthOf(fromAt);
  if (fromAt % dayMs === 0 && untilAt % dayMs === 0) return `${dateOf(fromAt)}..${dateOf(untilAt)}`;
  return `${instantOf(fromAt)}..${instantOf(untilAt)}`;
}

/** The text that asks for a billing period: by the month or day it begins in, or by its ends where several do. */
export function askForBilling({ fromAt, untilAt }: Period, billing: BillingPeriod): string {
  if (billing.kind === 'month') return `billing:${monthOf(fromAt)}`;
  return billing.hours * hourMs >= dayMs
    ? `billing:${dateOf(fromAt)}`
    : `${instantOf(fromAt)}..${instantOf(untilAt)}`;
}

/**
 * The billing period a text names: `billing` (so far), `last-billing`, or the one that begins in a month or on a day of
 * UTC, as `billing:2026-10` or `billing:2026-10-15`. Undefined for other texts; a sentence on what to write where none
 * or several begin then.
 */
export function findNamedBilling(
  text: string,
  { now, billing = calendarMonths }: PeriodContext,
): Period | string | undefined {
  const calendar = billingCalendar(billing);
  const current = calendar(now);
  if (text === 'billing') return { fromAt: current.fromAt, untilAt: now };
  if (text === 'last-billing') return calendar(current.fromAt - 1);
  const [, date = ''] = /^billing:([12]\d{3}-\d\d(?:-\d\d)?)$/.exec(text) ?? [];
  const stretch = readDate(date);
  if (stretch === undefined) return undefined;
  const [first, ...others] = periodsBetween(calendar, stretch).filter(
    ({ fromAt }) => fromAt >= stretch.fromAt,
  );
  if (first !== undefined && others.length === 0) return first;
  const where = `${date.length > 'yyyy-mm'.length ? 'on' : 'in'} ${date}`;
  const nearest = first ?? calendar(stretch.fromAt);
  const isAsked = askForBilling(nearest, billing);
  return first === undefined
    ? `"${text}" names no billing period: none begins ${where}, and the one at its beginning is ${isAsked}`
    : `"${text}" names ${others.length + 1} billing periods: so many begin ${where}, the first of them is ${isAsked}`;
}

/** A month or day of UTC; undefined when the calendar has no such one. */
function readDate(date: string): Period | undefined {
  const [year = 0, month = 0, day] = date.split('-').map(Number);
  const fromAt = Date.UTC(year, month - 1, day ?? 1);
  if (date === '' || !new Date(fromAt).toISOString().startsWith(date)) return undefined;
  return { fromAt, untilAt: day === undefined ? Date.UTC(year, month, 1) : fromAt + dayMs };
}

function isMonth({ fromAt, untilAt }: Period): boolean {
  const date = new Date(fromAt);
  const [year, month] = [date.getUTCFullYear(), date.getUTCMonth()];
  return fromAt === Date.UTC(year, month, 1) && untilAt === Date.UTC(year, month + 1, 1);
}

function monthOf(at: number): string {
  return dateOf(at).slice(0, 'yyyy-mm'.length);
}

/** An instant as it is asked for: `2026-10-05T06:00:00Z`. */
export function instantOf(at: number): string {
  return new Date(at).toISOString().replace('.000Z', 'Z');
}
