import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { type CalendarUnit, type Period, startOfDay, zoneCalendar } from './calendar.ts';

export interface ReportPeriod extends Period {
  /** As it was asked for. */
  readonly label: string;
}

export interface PeriodContext {
  /** Epoch milliseconds. */
  readonly now: number;
  /** IANA zone whose days, months and years are meant. */
  readonly zone: string;
}

const advice =
  'write a year, month or day (2026, 2026-10, 2026-10-05), this-month, last-month, last-30d, last-24h, ' +
  'or two ends of which the second is the first instant left out (2026-10-01..2026-11-01 is October, ' +
  '2026-10-01T06:00:00Z..2026-10-01T18:00:00Z twelve hours)';

/**
 * The period a text names: `2026`, `2026-10`, `2026-10-05`, `this-month` and `last-30d` or `last-24h` (until now, a day
 * being 24 hours), `last-month`, or `A..B` of days or instants. `B` is left out, a day as a whole:
 * `2026-10-01..2026-11-01` is all of October. It may end after now. Otherwise a sentence on what to write.
 */
export function parsePeriod(text: string, context: PeriodContext): ReportPeriod | string {
  const period = readPeriod(text, context);
  if (period === undefined) return `"${text}" is no period: ${advice}`;
  if (period.untilAt <= period.fromAt) return `"${text}" ends before it begins: ${advice}`;
  if (period.fromAt >= context.now) return `"${text}" has not begun yet: name a period that has`;
  return { ...period, label: text };
}

function readPeriod(text: string, { now, zone }: PeriodContext): Period | undefined {
  const month = zoneCalendar('month', zone);
  if (text === 'this-month') return { fromAt: month(now).fromAt, untilAt: now };
  if (text === 'last-month') return month(month(now).fromAt - 1);
  const [fromText, untilText, ...more] = text.split('..');
  if (fromText !== undefined && untilText !== undefined && more.length === 0) {
    const fromAt = readEnd(fromText, zone);
    const untilAt = readEnd(untilText, zone);
    return fromAt === undefined || untilAt === undefined ? undefined : { fromAt, untilAt };
  }
  return readLast(text, now) ?? readDate(text, zone);
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

/** Epoch milliseconds of an ISO instant or of the start of a day. */
function readEnd(text: string, zone: string): number | undefined {
  const [, date] = instantPattern.exec(text) ?? [];
  if (date === undefined) return /^\d{4}-\d\d-\d\d$/.test(text) ? readDate(text, zone)?.fromAt : undefined;
  const at = Date.parse(text);
  return Number.isNaN(at) || readDate(date, 'UTC') === undefined ? undefined : at;
}
