import { Temporal } from 'temporal-polyfill';
import { type Period, startOfDay, zoneCalendar, zoneClockAt } from './calendar.ts';

type NamedUnit = 'day' | 'month' | 'quarter' | 'year';

/** A day, or some months, quarters or years in a row, by the clocks of a zone. */
interface NamedPeriod {
  readonly unit: NamedUnit;
  readonly count: number;
  readonly first: Temporal.PlainDate;
}

/** Whole units; a range has the first and the last. */
const monthsOf: Readonly<Record<NamedUnit, number>> = { day: 0, month: 1, quarter: 3, year: 12 };

/**
 * Reads `2026`, `2026-Q4`, `2026-10` and `2026-10-05`, ranges such as `2026-09..2026-11`, to which both ends belong, and
 * words such as `this-quarter`, `last-month` and `last-3-months`. Undefined for other texts.
 */
export function readNamed(text: string, today: Temporal.PlainDate): NamedPeriod | undefined {
  const [, which, many, word] = /^(?:(this|last)|last-([1-9]\d?))-(month|quarter|year)s?$/.exec(text) ?? [];
  if (word !== undefined && text.endsWith('s') === (many !== undefined)) {
    const now = periodFrom(word as NamedUnit, today);
    return which === 'this' ? now : before({ ...now, count: Number(many ?? 1) });
  }
  const [from, ...ends] = text.split('..').map(readDated);
  const [until] = ends;
  if (from === undefined || ends.length === 0) return from;
  if (ends.length > 1 || until?.unit !== from.unit || from.unit === 'day') return undefined;
  const { months } = from.first.until(until.first, { largestUnit: 'months' });
  return { ...from, count: months / monthsOf[from.unit] + 1 };
}

function readDated(text: string): NamedPeriod | undefined {
  const [, year, quarter, month, day] = /^([12]\d{3})(?:-Q([1-4])|-(\d\d)(?:-(\d\d))?)?$/.exec(text) ?? [];
  if (year === undefined) return undefined;
  const firstMonth = quarter === undefined ? month : String(3 * Number(quarter) - 2).padStart(2, '0');
  const first = findDay(`${year}-${firstMonth ?? '01'}-${day ?? '01'}`);
  const unit = day !== undefined ? 'day' : month !== undefined ? 'month' : quarter ? 'quarter' : 'year';
  return first && { unit, count: 1, first };
}

/** A day by its ISO text; undefined when the calendar has no such day (2026-02-30). */
function findDay(text: string): Temporal.PlainDate | undefined {
  try {
    return Temporal.PlainDate.from(text);
  } catch {
    return undefined;
  }
}

/** The unit that a day lies in. */
function periodFrom(unit: NamedUnit, day: Temporal.PlainDate): NamedPeriod {
  const months = monthsOf[unit];
  const month = months === 0 ? day.month : day.month - ((day.month - 1) % months);
  return { unit, count: 1, first: day.with({ month, day: unit === 'day' ? day.day : 1 }) };
}

/** As many units before. */
export function before(period: NamedPeriod): NamedPeriod {
  const { unit, count, first } = period;
  const length = unit === 'day' ? { days: count } : { months: count * monthsOf[unit] };
  return { ...period, first: first.subtract(length) };
}

/** From the first instant of the first unit until the first one after the last. */
export function boundNamed({ unit, count, first }: NamedPeriod, zone: string): Period {
  const calendar = zoneCalendar(unit === 'day' ? 'day' : 'month', zone);
  const { fromAt, untilAt } = calendar(startOfDay(zone, first));
  if (unit === 'day') return { fromAt, untilAt };
  const last = first.add({ months: count * monthsOf[unit] - 1 });
  return { fromAt, untilAt: calendar(startOfDay(zone, last)).untilAt };
}

/** A named period by its label and its first instant, whatever day it is now; undefined where the label names none. */
export function namedAt(label: string, fromAt: number, zone: string): NamedPeriod | undefined {
  const first = zoneClockAt(zone, fromAt).toPlainDate();
  const named = readNamed(label, first);
  return named && { ...named, first };
}

/** The text that a named period is read from. */
export function nameOf({ unit, count, first }: NamedPeriod): string {
  const name = (day: Temporal.PlainDate) => {
    if (unit === 'quarter') return `${day.year}-Q${Math.ceil(day.month / 3)}`;
    return day.toString().slice(0, { day: 10, month: 7, year: 4 }[unit]);
  };
  if (count === 1) return name(first);
  return `${name(first)}..${name(first.add({ months: (count - 1) * monthsOf[unit] }))}`;
}
