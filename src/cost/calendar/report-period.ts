import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs } from '../../resources/duration.ts';
import type { BillingPeriod } from '../../resources/price-book.ts';
import { calendarMonths, findNamedBilling } from './billing-name.ts';
import { type CalendarUnit, type Period, sameDatesInUtc, startOfDay, zoneCalendar } from './calendar.ts';

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

const advice =
  'write a year, month or day (2026, 2026-10, 2026-10-05), this-month, last-month, last-30d, last-24h, ' +
  'a billing period (billing, last-billing, or billing:2026-10 for the one that begins in October), ' +
  'or two ends of which the second is the first instant left out (2026-10-01..2026-11-01 is October, ' +
  '2026-10-01T06:00:00Z..2026-10-01T18:00:00Z twelve hours)';

/** A period with the stretch that its billing periods begin in. */
type Billed = Pick<ReportPeriod, 'fromAt' | 'untilAt' | 'billedStretch'>;

/**
 * The period a text names: `2026`, `2026-10`, `2026-10-05`, `this-month` and `last-30d` or `last-24h` (until now, a day
 * being 24 hours), `last-month`, the billing periods `billing` (until now), `last-billing` and `billing:2026-10`, or
 * `A..B` of days or instants. `B` is left out, a day as a whole: `2026-10-01..2026-11-01` is all of October. It may end
 * after now. Otherwise a sentence on what to write.
 */
export function parsePeriod(text: string, context: PeriodContext): ReportPeriod | string {
  const billing = findNamedBilling(text, { now: context.now, billing: context.billing ?? calendarMonths });
  if (typeof billing === 'string') return billing;
  const period = billing === undefined ? readPeriod(text, context) : { ...billing, billedStretch: billing };
  if (period === undefined) return `"${text}" is no period: ${advice}`;
  if (period.untilAt <= period.fromAt) return `"${text}" ends before it begins: ${advice}`;
  if (period.fromAt >= context.now) return `"${text}" has not begun yet: name a period that has`;
  return { ...period, label: text, zone: billing === undefined ? context.zone : 'UTC' };
}

function readPeriod(text: string, { now, zone }: PeriodContext): Billed | undefined {
  const month = zoneCalendar('month', zone);
  if (text === 'this-month') return { ...ofDays(month(now), zone), untilAt: now };
  if (text === 'last-month') return ofDays(month(month(now).fromAt - 1), zone);
  const [fromText, untilText, ...more] = text.split('..');
  if (fromText !== undefined && untilText !== undefined && more.length === 0) {
    const from = readEnd(fromText, zone);
    const until = readEnd(untilText, zone);
    if (from === undefined || until === undefined) return undefined;
    const billedStretch = { fromAt: from.billedAt, untilAt: until.billedAt };
    return { fromAt: from.at, untilAt: until.at, billedStretch };
  }
  const last = readLast(text, now);
  if (last !== undefined) return { ...last, billedStretch: last };
  const dated = readDate(text, zone);
  return dated && ofDays(dated, zone);
}

/** A period of whole days of a zone. */
function ofDays(period: Period, zone: string): Billed {
  return { ...period, billedStretch: sameDatesInUtc(period, zone) };
}

const lastMs: Readonly<Record<string, number>> = { d: dayMs, h: hourMs };

function readLast(text: string, now: number): Period | undefined {
  const [, count, unit = ''] = /^last-([1-9]\d{0,4})([dh])$/.exec(text) ?? [];
  return count === undefined
    ? undefined
    : { fromAt: now - Number(count) * (lastMs[unit] ?? 0), untilAt: now };
}

function readDate(text: string, zone: string): Period | undefined {
  const [, year, month, day] = /^([12]\d{3})(?:-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const first = findDay(`${year}-${month ?? '01'}-${day ?? '01'}`);
  if (first === undefined) return undefined;
  const unit: CalendarUnit = day !== undefined ? 'day' : month !== undefined ? 'month' : 'year';
  return zoneCalendar(unit, zone)(startOfDay(zone, first));
}

/** A day by its ISO text; undefined when the calendar has no such day (2026-02-30). */
function findDay(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return undefined;
  }
}

const instantPattern = /^([12]\d{3}-\d\d-\d\d)T\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?(?:Z|[+-]\d\d:\d\d)$/;

/** One end of a period in epoch milliseconds, and the instant from which on billing periods begin after it. */
interface End {
  readonly at: number;
  readonly billedAt: number;
}

/** An ISO instant, or the start of a day. */
function readEnd(text: string, zone: string): End | undefined {
  const [, date] = instantPattern.exec(text) ?? [];
  if (date === undefined) {
    const day = /^\d{4}-\d\d-\d\d$/.test(text) ? readDate(text, zone) : undefined;
    return day && { at: day.fromAt, billedAt: sameDatesInUtc(day, zone).fromAt };
  }
  const at = Date.parse(text);
  return Number.isNaN(at) || readDate(date, 'UTC') === undefined ? undefined : { at, billedAt: at };
}
