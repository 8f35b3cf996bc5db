import { expect, test } from 'vitest';
import { offerPeriods } from '../../src/console/chosen-period.ts';
import type { ConsoleConfig } from '../../src/console/console-config.ts';

const now = Date.parse('2026-11-22T12:00:00Z');

function configWith(timezone: string, billing?: object): ConsoleConfig {
  return { usage: { timezone }, ...(billing && { pricing: { billingPeriod: billing } }) } as ConsoleConfig;
}

test('periods are offered with their first and last days, until today at the latest', () => {
  const config = configWith('UTC', {
    kind: 'hours',
    hours: 744,
    anchorAt: Date.parse('2026-10-28T00:00:00Z'),
  });
  expect(offerPeriods(config, now).periods).toEqual([
    { period: 'billing', first_day: '2026-10-28', last_day: '2026-11-22' },
    { period: 'last-billing', first_day: '2026-09-27', last_day: '2026-10-27' },
    { period: 'this-month', first_day: '2026-11-01', last_day: '2026-11-22' },
    { period: 'last-month', first_day: '2026-10-01', last_day: '2026-10-31' },
    { period: 'last-30d', first_day: '2026-10-23', last_day: '2026-11-22' },
  ]);
});

test('a period that is the same as one before it is offered once, by the clocks that its days are of', () => {
  expect(offerPeriods(configWith('UTC'), now).periods.map(({ period }) => period)).toEqual([
    'billing',
    'last-billing',
    'last-30d',
  ]);
  const late = Date.parse('2026-11-22T23:30:00Z');
  expect(offerPeriods(configWith('Europe/Berlin'), late, undefined, ['this-month']).periods).toEqual([
    { period: 'this-month', first_day: '2026-11-01', last_day: '2026-11-23' },
  ]);
});

test('only periods of which something is known are offered, back to the one that the first known day is in', () => {
  const config = configWith('UTC', { kind: 'month', anchorDay: 15 });
  const offered = offerPeriods(config, now, Date.parse('2026-09-20T08:00:00Z'));
  expect(offered.known_since).toBe('2026-09-20');
  expect(offered.more_periods.map(({ period }) => period)).toEqual([
    ...['2026-11', '2026-10', '2026-09'],
    ...['billing:2026-11', 'billing:2026-10', 'billing:2026-09'],
    ...['2026-Q4', '2026-Q3'],
  ]);
  const { periods } = offerPeriods(config, now, Date.parse('2026-11-21T08:00:00Z'));
  expect(periods.map(({ period }) => period)).toEqual(['billing', 'this-month', 'last-30d']);
});

test('billing periods that are no months are offered beside them, whatever is at a click', () => {
  const config = configWith('UTC', { kind: 'month', anchorDay: 15 });
  const billingOf = (words: readonly string[]) =>
    offerPeriods(config, now, Date.parse('2026-09-20T08:00:00Z'), words)
      .more_periods.map(({ period }) => period)
      .filter(period => period.startsWith('billing:'));
  expect(billingOf(['billing', 'last-billing'])).toEqual([
    'billing:2026-11',
    'billing:2026-10',
    'billing:2026-09',
  ]);
});

test('a year of months and quarters is offered where it is not known since when use is known', () => {
  const { known_since, more_periods } = offerPeriods(configWith('UTC'), now);
  expect(known_since).toBeNull();
  expect(more_periods).toHaveLength(12 + 4);
  expect(more_periods[11]).toEqual({ period: '2025-12', first_day: '2025-12-01', last_day: '2025-12-31' });
});
