import { expect, test } from 'vitest';
import { pairPeriod } from '../../src/cost/calendar/period-before.ts';
import { parsePeriod } from '../../src/cost/calendar/report-period.ts';
import type { BillingPeriod } from '../../src/resources/price-book.ts';

const now = Date.parse('2026-11-12T10:00:00Z');
const hours: BillingPeriod = { kind: 'hours', hours: 240, anchorAt: Date.parse('2026-10-01') };

test.each([
  ['this-month', '2026-10-31T23:00:00Z 2026-11-30T23:00:00Z', '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z'],
  ['2026-10', '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z', '2026-08-31T22:00:00Z 2026-09-30T22:00:00Z'],
  ['last-month', '2026-09-30T22:00:00Z 2026-10-31T23:00:00Z', '2026-08-31T22:00:00Z 2026-09-30T22:00:00Z'],
  ['2026', '2025-12-31T23:00:00Z 2026-12-31T23:00:00Z', '2024-12-31T23:00:00Z 2025-12-31T23:00:00Z'],
  ['2026-10-26', '2026-10-25T23:00:00Z 2026-10-26T23:00:00Z', '2026-10-24T22:00:00Z 2026-10-25T23:00:00Z'],
  ['this-quarter', '2026-09-30T22:00:00Z 2026-12-31T23:00:00Z', '2026-06-30T22:00:00Z 2026-09-30T22:00:00Z'],
  ['last-3-months', '2026-07-31T22:00:00Z 2026-10-31T23:00:00Z', '2026-04-30T22:00:00Z 2026-07-31T22:00:00Z'],
  ['last-24h', '2026-11-11T10:00:00Z 2026-11-12T10:00:00Z', '2026-11-10T10:00:00Z 2026-11-11T10:00:00Z'],
  ['billing', '2026-11-10T00:00:00Z 2026-11-20T00:00:00Z', '2026-10-31T00:00:00Z 2026-11-10T00:00:00Z'],
  ['last-billing', '2026-10-31T00:00:00Z 2026-11-10T00:00:00Z', '2026-10-21T00:00:00Z 2026-10-31T00:00:00Z'],
])('%s is known as a whole, and the one before it', (label, whole, before) => {
  const period = parsePeriod(label, { now, zone: 'Europe/Berlin', billing: hours });
  if (typeof period === 'string') throw new Error(period);
  const pair = pairPeriod(period, hours);
  const show = ({ fromAt, untilAt }: { readonly fromAt: number; readonly untilAt: number }) =>
    [fromAt, untilAt].map(at => new Date(at).toISOString().replace('.000Z', 'Z')).join(' ');
  expect([show(pair.whole), show(pair.before)]).toEqual([whole, before]);
});

test('the billing periods of a month before are those that begin in it by the dates of UTC', () => {
  const period = parsePeriod('2026-11', { now, zone: 'Europe/Berlin' });
  if (typeof period === 'string') throw new Error(period);
  const { billedBefore } = pairPeriod(period, { kind: 'month', anchorDay: 1 });
  expect(billedBefore).toEqual({ fromAt: Date.parse('2026-10-01'), untilAt: Date.parse('2026-11-01') });
});
