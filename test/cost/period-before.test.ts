import { expect, test } from 'vitest';
import { namePeriodBefore } from '../../src/cost/calendar/period-before.ts';
import { parsePeriod } from '../../src/cost/calendar/report-period.ts';
import type { BillingPeriod } from '../../src/resources/price-book.ts';

const now = Date.parse('2026-11-22T10:00:00Z');
const zone = 'Europe/Berlin';

function nameBefore(text: string, billing?: BillingPeriod): string {
  const context = { now, zone, billing };
  const period = parsePeriod(text, context);
  if (typeof period === 'string') throw new Error(period);
  const before = parsePeriod(namePeriodBefore(period, context), context);
  if (typeof before === 'string') throw new Error(before);
  // An open period ends now, and the one before it where it began.
  expect(before.untilAt).toBe(period.fromAt);
  return before.label;
}

test.for([
  ['2026', '2025'],
  ['2026-01', '2025-12'],
  ['2026-03-30', '2026-03-29'],
  ['this-month', '2026-10'],
  ['last-month', '2026-09'],
  ['2026-Q1', '2025-Q4'],
  ['this-quarter', '2026-Q3'],
  ['last-3-months', '2026-05..2026-07'],
  ['2026-09..2026-11', '2026-06..2026-08'],
  ['2026-Q2..2026-Q3', '2025-Q4..2026-Q1'],
  ['billing', 'billing:2026-10'],
  ['last-billing', 'billing:2026-09'],
  ['billing:2026-01', 'billing:2025-12'],
  ['last-24h', '2026-11-20T10:00:00Z..2026-11-21T10:00:00Z'],
  // Clocks of Berlin go back on 25 October: days are counted, not hours.
  ['2026-10-24..2026-10-26', '2026-10-22..2026-10-24'],
  ['2026-10-24T00:00:00Z..2026-10-24T06:00:00Z', '2026-10-23T18:00:00Z..2026-10-24T00:00:00Z'],
] as const)('before %s is %s', ([text, expected]) => {
  expect(nameBefore(text)).toBe(expected);
});

test('before a billing period of some days is the one of as many days', () => {
  const billing = { kind: 'hours', hours: 240, anchorAt: Date.parse('2026-10-01') } as const;
  expect(nameBefore('billing:2026-10-11', billing)).toBe('billing:2026-10-01');
});

test.for<readonly [text: string, from: string, until: string]>([
  ['before:2026-10', '2026-09-01', '2026-10-01'],
  // Summer time ended in October: as many hours later, and not at the same time of the clock.
  ['before:2026-11', '2026-10-01', '2026-10-22T09:00:00Z'],
  ['before:this-month', '2026-10-01', '2026-10-22T09:00:00Z'],
  ['before:last-24h', '2026-11-20T10:00:00Z', '2026-11-21T10:00:00Z'],
])('%s is as much of the period before as there is of that one', ([text, from, until]) => {
  const context = { now, zone };
  const expected = parsePeriod(`${from}..${until}`, context);
  const found = parsePeriod(text, context);
  if (typeof expected === 'string' || typeof found === 'string') throw new Error(`${expected} ${found}`);
  expect([found.label, found.zone]).toEqual([text, zone]);
  expect([found.fromAt, found.untilAt]).toEqual([expected.fromAt, expected.untilAt]);
});
