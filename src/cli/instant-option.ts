import { InvalidArgumentError } from 'commander';

/** An instant in epoch milliseconds from a date, whose beginning in UTC it is, or from a date with a time of day. */
export function readInstant(text: string): number {
  const [, date, time, zone = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:T(\d\d:\d\d(?::\d\d(?:\.\d{1,3})?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? [];
  const midnight = Date.parse(`${date}T00:00Z`);
  const at = Date.parse(`${date}T${time ?? '00:00'}${zone}`);
  // Days that a month does not have would be taken for some of the next.
  const isDate = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(String(date));
  if (isDate && !Number.isNaN(at)) return at;
  throw new InvalidArgumentError(
    'write a date such as 2026-10-01 or an instant such as 2026-10-01T12:00:00Z',
  );
}
