const names: Readonly<Record<string, string>> = {
  billing: 'this billing period',
  'last-billing': 'last billing period',
  'this-month': 'this month',
  'last-month': 'last month',
  'last-30d': 'last 30 days',
};

/** A word for a period as people say it, such as `last billing period` for `last-billing`; others as they are written. */
export function periodName(period: string): string {
  if (Object.hasOwn(names, period)) return names[period] ?? period;
  return period.replace(/^billing:/, 'billing period from ');
}
