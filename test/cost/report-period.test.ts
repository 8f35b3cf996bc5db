import { expect, test } from 'vitest';
import { parsePeriod } from '../../src/cost/calendar/report-period.ts';

const now = Date.parse('2026-10-20T15:30:00Z');

function read(text: string, zone = 'UTC'): string {
  const period = parsePeriod(text, { now, zone });
  if (typeof period === 'string') return period;
  expect(period.label).toBe(text);
  return `${new Date(period.fromAt).toISOString()} ${new Date(period.untilAt).toISOString()}`;
}

test.each([
  ['2026', '2026-01-01T00:00:00.000Z 2027-01-01T00:00:00.000Z'],
  ['2026-10', '2026-10-01T00:00:00.000Z 2026-11-01T00:00:00.000Z'],
  ['2026-10-05', '2026-10-05T00:00:00.000Z 2026-10-06T00:00:00.000Z'],
  ['2024-02-29', '2024-02-29T00:00:00.000Z 2024-03-01T00:00:00.000Z'],
  ['this-month', '2026-10-01T00:00:00.000Z 2026-10-20T15:30:00.000Z'],
  ['last-month', '2026-09-01T00:00:00.000Z 2026-10-01T00:00:00.000Z'],
  ['2026-Q3', '2026-07-01T00:00:00.000Z 2026-10-01T00:00:00.000Z'],
  ['this-quarter', '2026-10-01T00:00:00.000Z 2026-10-20T15:30:00.000Z'],
  ['last-quarter', '2026-07-01T00:00:00.000Z 2026-10-01T00:00:00.000Z'],
  ['last-2-quarters', '2026-04-01T00:00:00.000Z 2026-10-01T00:00:00.000Z'],
  ['last-3-months', '2026-07-01T00:00:00.000Z 2026-10-01T00:00:00.000Z'],
  ['last-year', '2025-01-01T00:00:00.000Z 2026-01-01T00:00:00.000Z'],
  ['2026-09..2026-11', '2026-09-01T00:00:00.000Z 2026-12-01T00:00:00.000Z'],
  ['2025-Q4..2026-Q2', '2025-10-01T00:00:00.000Z 2026-07-01T00:00:00.000Z'],
  ['2025..2026', '2025-01-01T00:00:00.000Z 2027-01-01T00:00:00.000Z'],
  ['last-30d', '2026-09-20T15:30:00.000Z 2026-10-20T15:30:00.000Z'],
  ['last-24h', '2026-10-19T15:30:00.000Z 2026-10-20T15:30:00.000Z'],
  ['2026-09-01..2026-10-01', '2026-09-01T00:00:00.000Z 2026-10-01T00:00:00.000Z'],
  ['2026-10-01..2026-10-02T12:00Z', '2026-10-01T00:00:00.000Z 2026-10-02T12:00:00.000Z'],
  ['2026-10-01T06:00:00.5+02:00..2026-10-02', '2026-10-01T04:00:00.500Z 2026-10-02T00:00:00.000Z'],
])('%s is read', (text, expected) => {
  expect(read(text)).toBe(expected);
});

test('days, months and years are those of the zone', () => {
  expect(read('2026-03-29', 'Europe/Berlin')).toBe('2026-03-28T23:00:00.000Z 2026-03-29T22:00:00.000Z');
  expect(read('2026-10', 'America/New_York')).toBe('2026-10-01T04:00:00.000Z 2026-11-01T04:00:00.000Z');
  expect(read('last-month', 'Asia/Kathmandu')).toBe('2026-08-31T18:15:00.000Z 2026-09-30T18:15:00.000Z');
  expect(read('2026-10-01..2026-10-02', 'Asia/Kolkata')).toBe(
    '2026-09-30T18:30:00.000Z 2026-10-01T18:30:00.000Z',
  );
});

test.each([
  '',
  'october',
  '2026-13',
  '2026-02-29',
  '2026-10-5',
  'last-0d',
  'last-30w',
  '2026-Q5',
  'last-3-month',
  'last-0-months',
  'this-3-months',
  '2026-10..2026-11-05',
  '2026-10..2026-Q4',
  '2026-10-01..',
  '2026-10-01..2026-10-02..2026-10-03',
  '2026-10-01T06:00:00..2026-10-02',
  '2026-02-30T06:00Z..2026-10-02',
  '2026-10-01T25:00Z..2026-10-02',
])('"%s" is answered with what to write', text => {
  expect(read(text)).toBe(
    `"${text}" is no period: write a year, quarter, month or day (2026, 2026-Q4, 2026-10, 2026-10-05), ` +
      'this-month, last-month, last-30d, billing, last-billing, billing:2026-10, or two days, the second of which is left out ' +
      '(2026-10-01..2026-11-01); docs/reports.md#periods has all',
  );
});

test('what ends before it begins, or has not begun, is refused', () => {
  expect(read('2026-10-02..2026-10-02')).toContain('"2026-10-02..2026-10-02" ends before it begins: write a');
  expect(read('2026-09..2026-07')).toContain('"2026-09..2026-07" ends before it begins: write a');
  expect(read('2026-11')).toBe('"2026-11" has not begun yet: name a period that has');
});
