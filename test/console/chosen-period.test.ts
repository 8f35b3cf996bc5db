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
  expect(offerPeriods(config, now)).toEqual([
    { period: 'billing', first_day: '2026-10-28', last_day: '2026-11-22' },
    { period: 'last-billing', first_day: '2026-09-27', last_day: '2026-10-27' },
    { period: 'this-month', first_day: '2026-11-01', last_day: '2026-11-22' },
    { period: 'last-month', first_day: '2026-10-01', last_day: '2026-10-31' },
    { period: 'last-30d', first_day: '2026-10-23', last_day: '2026-11-22' },
  ]);
});

test('a period that is the same as one before it is offered once, by the clocks that its days are of', () => {
  expect(offerPeriods(configWith('UTC'), now).map(({ period }) => period)).toEqual([
    'billing',
    'last-billing',
    'last-30d',
  ]);
  const late = Date.parse('2026-11-22T23:30:00Z');
  expect(offerPeriods(configWith('Europe/Berlin'), late, ['this-month'])).toEqual([
    { period: 'this-month', first_day: '2026-11-01', last_day: '2026-11-23' },
  ]);
});
