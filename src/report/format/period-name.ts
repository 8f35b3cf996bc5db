import { dateOf } from '../../resources/utc-date.ts';
/** The last day before a day or an instant of an answer. */
export function lastDayOf(end: string): string {
  return dateOf(Date.parse(end) - 1);
}

/** Two days of which the second begins what comes after. */
export function sayDays(first: string, end: string): string {
  const last = lastDayOf(end);
  return first === last ? first : `${first} to ${last}`;
}

const names: Readonly<Record<string, string>> = {
  billing: 'this billing period',
  'last-billing': 'last billing period',
  'last-30d': 'last 30 days',
};

const days = /^(\d{4}-\d\d-\d\d)\.\.(\d{4}-\d\d-\d\d)$/;
const times = /(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::[\d.]+)?Z/;

/** A word for a period as people say it, such as `last billing period` for `last-billing`; dates as they are written. */
export function periodName(period: string): string {
  if (Object.hasOwn(names, period)) return names[period] ?? period;
  if (/^(this|last)-[\da-z-]*(month|quarter|year)s?$/.test(period)) return period.replaceAll('-', ' ');
  const dates = period.replace(/^billing:/, 'billing period from ');
  return times.test(dates) || days.test(dates) ? sayDates(dates) : dates;
}

/** The same within a sentence: `the last billing period`. */
export function periodPhrase(period: string): string {
  return periodName(period).replace(/^(last|billing) /, 'the $&');
}

/** The dates of a period with its last day: `2026-09-27 to 2026-10-27`; with times, the second begins the next one. */
export function sayDates(period: string): string {
  const [, first, end] = days.exec(period) ?? [];
  if (first !== undefined && end !== undefined) return sayDays(first, end);
  return period.replace('..', ' until ').replaceAll(new RegExp(times, 'g'), '$1 $2 UTC');
}
