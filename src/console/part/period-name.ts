const names: Readonly<Record<string, string>> = {
  billing: 'this billing period',
  'last-billing': 'last billing period',
  'last-30d': 'last 30 days',
};

const instant = /(\d{4}-\d\d-\d\d)T(\d\d:\d\d)(?::[\d.]+)?Z/;

/** A word for a period as people say it, such as `last billing period` for `last-billing`; dates as they are written. */
export function periodName(period: string): string {
  if (Object.hasOwn(names, period)) return names[period] ?? period;
  if (/^(this|last)-[\da-z-]*(month|quarter|year)s?$/.test(period)) return period.replaceAll('-', ' ');
  const dates = period.replace(/^billing:/, 'billing period from ');
  return instant.test(dates) ? sayDates(dates) : dates;
}

/** The dates of a period; the second begins the next one: `2026-09-27 until 2026-10-28`. */
export function sayDates(period: string): string {
  return period.replace('..', ' until ').replaceAll(new RegExp(instant, 'g'), '$1 $2 UTC');
}
