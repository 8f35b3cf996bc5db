import { Temporal } from 'temporal-polyfill';
import { dayMs, hourMs } from '../../resources/duration.ts';
import { calendarMonths, findNamedBilling } from './billing-name.ts';
import {
  type Period,
  type PeriodContext,
  type ReportPeriod,
  sameDatesInUtc,
  zoneClockAt,
} from './calendar.ts';
import { boundNamed, readNamed } from './named-period.ts';
import { pairPeriod } from './period-before.ts';

const advice =
  'write a year, quarter, month or day (2026, 2026-Q4, 2026-10, 2026-10-05), this-month, last-month, last-30d, ' +
  'billing, last-billing, billing:2026-10, or two days, the second of which is left out (2026-10-01..2026-11-01); ' +
  'docs/reports.md#periods has all';

/** A period with the stretch that its billing periods begin in. */
type Billed = Pick<ReportPeriod, 'fromAt' | 'untilAt' | 'billedStretch'>;

/**
 * The period a text names: a name of `readNamed` (`this-month` and the like end now), `last-30d` or `last-24h` (until
 * now, a day being 24 hours), the billing periods `billing` (until now), `last-billing` and `billing:2026-10`, or `A..B` of
 * days or instants. `B` is left out, a day as a whole: `2026-10-01..2026-11-01` is all of October. It may end after now.
 * `before:billing` and the like are as much of the period before as there is of that one until now.
 * Otherwise a sentence on what to write.
 */
export function parsePeriod(text: string, context: PeriodContext): ReportPeriod | string {
  const [, compared] = /^before:(.+)$/.exec(text) ?? [];
  if (compared !== undefined) return readBefore(compared, context);
  const billing = findNamedBilling(text, context);
  if (typeof billing === 'string') return billing;
  const period = billing === undefined ? readPeriod(text, context) : { ...billing, billedStretch: billing };
  if (period === undefined) return `"${text}" is no period: ${advice}`;
  if (period.untilAt <= period.fromAt) return `"${text}" ends before it begins: ${advice}`;
  if (period.fromAt >= context.now) return `"${text}" has not begun yet: name a period that has`;
  return { ...period, label: text, zone: billing === undefined ? context.zone : 'UTC' };
}

function readBefore(text: string, context: PeriodContext): ReportPeriod | string {
  const period = parsePeriod(text, context);
  if (typeof period === 'string') return period;
  const { whole, before, billedBefore } = pairPeriod(period, context.billing ?? calendarMonths);
  const knownUntilAt = Math.min(period.untilAt, context.now);
  const isOver = knownUntilAt >= whole.untilAt;
  const sameAt = Math.min(before.untilAt, before.fromAt + knownUntilAt - period.fromAt);
  const part = { fromAt: before.fromAt, untilAt: sameAt };
  const found = isOver ? { ...before, billedStretch: billedBefore } : { ...part, billedStretch: part };
  return { ...found, label: `before:${text}`, zone: period.zone };
}

function readPeriod(text: string, { now, zone }: PeriodContext): Billed | undefined {
  const named = readNamed(text, zoneClockAt(zone, now).toPlainDate());
  if (named !== undefined) {
    const days = ofDays(boundNamed(named, zone), zone);
    return text.startsWith('this-') ? { ...days, untilAt: now } : days;
  }
  const [fromText, untilText, ...more] = text.split('..');
  if (fromText !== undefined && untilText !== undefined && more.length === 0) {
    const from = readEnd(fromText, zone);
    const until = readEnd(untilText, zone);
    if (from === undefined || until === undefined) return undefined;
    const billedStretch = { fromAt: from.billedAt, untilAt: until.billedAt };
    return { fromAt: from.at, untilAt: until.at, billedStretch };
  }
  const last = readLast(text, now);
  return last && { ...last, billedStretch: last };
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

/** A day of a zone by its ISO text. */
function readDay(text: string, zone: string): Period | undefined {
  const named = readNamed(text, anyDay);
  return named?.unit === 'day' ? boundNamed(named, zone) : undefined;
}

/** A date is read alike on every day. */
const anyDay = Temporal.PlainDate.from('2026-01-01');

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
    const day = readDay(text, zone);
    return day && { at: day.fromAt, billedAt: sameDatesInUtc(day, zone).fromAt };
  }
  const at = Date.parse(text);
  return Number.isNaN(at) || readDay(date, 'UTC') === undefined ? undefined : { at, billedAt: at };
}
