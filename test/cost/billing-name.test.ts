import { expect, test } from 'vitest';
import { labelBilling } from '../../src/cost/calendar/billing-name.ts';
import { parsePeriod } from '../../src/cost/calendar/report-period.ts';
import type { BillingPeriod } from '../../src/resources/price-book.ts';
import { stretch } from './line-text.ts';

const now = Date.parse('2028-10-20T15:30:00Z');
const monthly = (anchorDay: number): BillingPeriod => ({ kind: 'month', anchorDay });
const hourly = (hours: number, from: string): BillingPeriod => ({
  kind: 'hours',
  hours,
  anchorAt: Date.parse(from),
});

function read(text: string, billing?: BillingPeriod, zone = 'Europe/Berlin'): string {
  const period = parsePeriod(text, { now, zone, billing });
  if (typeof period === 'string') return period;
  const { fromAt, untilAt } = period;
  expect(period).toMatchObject({ label: text, zone: 'UTC', billedStretch: { fromAt, untilAt } });
  return [fromAt, untilAt].map(at => new Date(at).toISOString().replace(':00.000Z', 'Z')).join(' ');
}

test.each([
  ['billing', undefined, '2028-10-01T00:00Z 2028-10-20T15:30Z'],
  ['last-billing', undefined, '2028-09-01T00:00Z 2028-10-01T00:00Z'],
  ['billing:2028-10', undefined, '2028-10-01T00:00Z 2028-11-01T00:00Z'],
  ['billing', monthly(15), '2028-10-15T00:00Z 2028-10-20T15:30Z'],
  ['last-billing', monthly(15), '2028-09-15T00:00Z 2028-10-15T00:00Z'],
  ['billing:2028-09-15', monthly(15), '2028-09-15T00:00Z 2028-10-15T00:00Z'],
  ['billing:2028-01', monthly(31), '2028-01-31T00:00Z 2028-02-29T00:00Z'],
  ['billing:2028-02', monthly(31), '2028-02-29T00:00Z 2028-03-31T00:00Z'],
  ['billing:2027-02', monthly(31), '2027-02-28T00:00Z 2027-03-31T00:00Z'],
  ['billing:2027-12', monthly(31), '2027-12-31T00:00Z 2028-01-31T00:00Z'],
  ['billing:2028-09', hourly(744, '2028-09-01T06:00Z'), '2028-09-01T06:00Z 2028-10-02T06:00Z'],
  ['last-billing', hourly(744, '2028-09-01T06:00Z'), '2028-09-01T06:00Z 2028-10-02T06:00Z'],
  ['billing', hourly(744, '2028-09-01T06:00Z'), '2028-10-02T06:00Z 2028-10-20T15:30Z'],
  ['billing:2028-10-08', hourly(168, '2028-10-01'), '2028-10-08T00:00Z 2028-10-15T00:00Z'],
] as const)('%s by billing periods of %j', (text, billing, expected) => {
  expect(read(text, billing)).toBe(expected);
  expect(read(text, billing, 'America/New_York')).toBe(expected);
});

test.each([
  [
    'billing:2028-10',
    hourly(168, '2028-10-01'),
    '5 billing periods: so many begin in 2028-10, the first of them is billing:2028-10-01',
  ],
  [
    'billing:2028-02',
    hourly(744, '2028-01-31'),
    'no billing period: none begins in 2028-02, and the one at its beginning is billing:2028-01-31',
  ],
  [
    'billing:2028-10-02',
    hourly(168, '2028-10-01'),
    'no billing period: none begins on 2028-10-02, and the one at its beginning is billing:2028-10-01',
  ],
  [
    'billing:2028-10-02',
    monthly(1),
    'no billing period: none begins on 2028-10-02, and the one at its beginning is billing:2028-10',
  ],
  [
    'billing:2028-10-01',
    hourly(6, '2028-10-01'),
    '4 billing periods: so many begin on 2028-10-01, the first of them is 2028-10-01T00:00:00Z..2028-10-01T06:00:00Z',
  ],
] as const)('%s by billing periods of %j is answered with what there is', (text, billing, expected) => {
  expect(read(text, billing)).toBe(`"${text}" names ${expected}`);
});

test.each([
  'billing:',
  'billing:2028',
  'billing:2028-13',
  'billing:2028-02-30',
  'billing:2028-1',
  'next-billing',
])('"%s" is answered with what to write', text => {
  expect(read(text)).toContain(`"${text}" is no period: write a year, quarter, month or day`);
  expect(read(text)).toContain('billing, last-billing, billing:2026-10');
});

test('a billing period that has not begun is refused', () => {
  expect(read('billing:2028-11')).toBe('"billing:2028-11" has not begun yet: name a period that has');
});

test('a billing period is labelled by its dates in UTC', () => {
  expect(labelBilling(stretch('2028-12-01', '2029-01-01'))).toBe('2028-12');
  expect(labelBilling(stretch('2028-02-01', '2028-03-01'))).toBe('2028-02');
  expect(labelBilling(stretch('2028-01-31', '2028-02-29'))).toBe('2028-01-31..2028-02-29');
  expect(labelBilling(stretch('2028-10-01T06:00Z', '2028-11-01T06:00Z'))).toBe(
    '2028-10-01T06:00:00Z..2028-11-01T06:00:00Z',
  );
});

test.each([
  ['2026-10', 'Europe/Berlin', '2026-10-01T00:00Z 2026-11-01T00:00Z'],
  ['2026-10', 'America/New_York', '2026-10-01T00:00Z 2026-11-01T00:00Z'],
  ['2026', 'Pacific/Kiritimati', '2026-01-01T00:00Z 2027-01-01T00:00Z'],
  ['2026-03-29', 'Europe/Berlin', '2026-03-29T00:00Z 2026-03-30T00:00Z'],
  // A day without a midnight, and one after a day that was left out.
  ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T00:00Z 2018-11-05T00:00Z'],
  ['2011-12-31', 'Pacific/Apia', '2011-12-31T00:00Z 2012-01-01T00:00Z'],
  ['2026-10-05..2026-11-01', 'Asia/Kathmandu', '2026-10-05T00:00Z 2026-11-01T00:00Z'],
  // Ends that are instants are taken as they are.
  ['2026-10-05T06:00+02:00..2026-11-01', 'Europe/Berlin', '2026-10-05T04:00Z 2026-11-01T00:00Z'],
  ['last-24h', 'Europe/Berlin', '2028-10-19T15:30Z 2028-10-20T15:30Z'],
  ['this-month', 'Europe/Berlin', '2028-10-01T00:00Z 2028-11-01T00:00Z'],
] as const)('to %s in %s belong the billing periods that begin on its dates', (text, zone, expected) => {
  const period = parsePeriod(text, { now, zone });
  if (typeof period === 'string') throw new Error(period);
  const { fromAt, untilAt } = period.billedStretch;
  const shown = [fromAt, untilAt].map(at => new Date(at).toISOString().replace(':00.000Z', 'Z'));
  expect(shown.join(' ')).toBe(expected);
});
