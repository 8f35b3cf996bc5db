import { expect, test } from 'vitest';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import type { Period } from '../../src/cost/calendar/calendar.ts';
import { shiftBounds } from '../../src/cost/forecast/bound.ts';
import type { Forecast } from '../../src/cost/forecast/forecast.ts';
import { forecastCompute, forecastCost } from '../../src/cost/forecast/scope-forecast.ts';
import { PriceEstimator, type ScopePrice } from '../../src/cost/forecast/scope-price.ts';
import { assignPlans } from '../../src/cost/price/plan-assignment.ts';
import type { PriceBook } from '../../src/resources/price-book.ts';
import { ledgerOf } from './memory-ledger.ts';
import { bookOf, planWith, pricesOf } from './price-book-sample.ts';

const now = Date.parse('2026-11-20T00:00:00Z');
const hour = 3_600_000;
const dayMs = 24 * hour;

/** Ten hours of one compute hour each. */
const forecast: Forecast = {
  fromAt: now,
  untilAt: now + 10 * hour,
  hours: new Float64Array(10).fill(3600),
  expected: 36_000,
  ...{ low80: 18_000, high80: 72_000 },
  ...{ low95: 9_000, high95: 144_000 },
};

const november = { fromAt: Date.parse('2026-11-01'), untilAt: Date.parse('2026-12-01') };

/** Two projects that used 30 and 10 compute hours in November, and lately three times as much as each other. */
const ledger = ledgerOf([
  { project_id: 'a', steps: [['2026-11-01', '2026-11-10', 30]] },
  { project_id: 'b', account: 'other', steps: [['2026-11-01', '2026-11-10', 10]] },
]);

function pricesIn(book: PriceBook) {
  return new PriceEstimator({
    book,
    ledger,
    assignments: assignPlans(book, ledger.projects, () => [], now),
    recentUse: new Map([
      [1, 3 * hour],
      [2, 1 * hour],
    ]),
    billing: billingCalendar(book.billingPeriod),
    now,
  }).ofScope(() => true);
}

/** Over the plans of a scope, what has no plan included. */
const meanPrice = ({ plans }: ScopePrice, at: number) =>
  plans.reduce((sum, { part, perComputeHour }) => sum + part * perComputeHour(at), 0);
const includedHours = ({ plans }: ScopePrice, expected: number, period: Period) =>
  plans.reduce((sum, { part, includedHours }) => sum + includedHours(part * expected, period), 0);

test('a period comes to what was used and what is expected, within bounds of both', () => {
  expect(shiftBounds(forecast, 3600)).toEqual({
    expected: 39_600,
    low80: 21_600,
    high80: 75_600,
    low95: 12_600,
    high95: 147_600,
  });
});

test('money is expected at the prices of what the projects used lately, and at those of later days', () => {
  const book = bookOf([
    planWith({ name: 'a', match: { projects: ['a'] }, prices: pricesOf({ price: '0.20' }) }),
    planWith({
      name: 'b',
      match: { projects: ['b'] },
      prices: pricesOf(
        { price: '0.40', until: '2026-11-20T05:00:00Z' },
        { price: '0.80', from: '2026-11-20T05:00:00Z' },
      ),
    }),
  ]);
  // Three parts at 0.20 and one at 0.40, then at 0.80.
  const price = pricesIn(book);
  expect(meanPrice(price, now)).toBeCloseTo(0.25, 12);
  const { total } = forecastCost(forecast, price, forecast);
  expect(total.expected).toBeCloseTo(5 * 0.25 + 5 * 0.35, 12);
  expect(total.high80).toBeCloseTo(2 * (5 * 0.25 + 5 * 0.35), 12);
});

test('included hours that are left are used up first, and none is spent on another plan', () => {
  // 34, and 30 are used: 4 hours are left of the first account, none of the other.
  const book = bookOf([
    planWith({
      prices: pricesOf({ price: '1' }),
      included: { computeHours: '34', per: 'account' },
      match: { accounts: ['acme'] },
    }),
    planWith({ name: 'rest', prices: pricesOf({ price: '1' }) }),
  ]);
  const price = pricesIn(book);
  expect(includedHours(price, 10, november)).toBeCloseTo(4, 12);
  expect(includedHours(price, 2, november)).toBeCloseTo(1.5, 12);
  const spent = forecastCost(forecast, price, { fromAt: now, untilAt: now + 5 * hour });
  expect(spent.stretches.map(({ amount }) => amount)).toEqual([0.25, 0.25, 0.25, 0.25, 0.25]);
  // The other account has a part of four, and none left; twice as much of the first is 3.5 beyond its 4.
  expect(spent.total).toEqual({ expected: 1.25, low80: 0.625, high80: 6, low95: 0.3125, high95: 16 });
});

test('of tiers the one is expected that the account will have reached', () => {
  const tiered = (end: string, plan = {}) =>
    pricesIn(
      bookOf([
        planWith({
          prices: pricesOf({ price: '2' }).map(price => {
            return { ...price, tiers: [{ beyondHours: end, perComputeHour: '1' }] };
          }),
          match: { accounts: ['acme'] },
          ...plan,
        }),
      ]),
    );
  // Of the account 30 hours are used, and 3 more a week; it is three parts of four.
  expect(meanPrice(tiered('32'), now + 3 * dayMs)).toBeCloseTo(0.75 * 2, 12);
  expect(meanPrice(tiered('32'), now + 7 * dayMs)).toBeCloseTo(0.75 * 1, 12);
  // In December the tiers begin anew.
  expect(meanPrice(tiered('32'), now + 12 * dayMs)).toBeCloseTo(0.75 * 2, 12);
  for (const per of ['account', 'project'] as const) {
    const price = tiered('12', { included: { computeHours: '20', per } });
    expect(meanPrice(price, now + 3 * dayMs)).toBeCloseTo(0.75 * 2, 12);
    expect(meanPrice(price, now + 7 * dayMs)).toBeCloseTo(0.75 * 1, 12);
  }
});

test('money that is included is no included hours: it is a charge that takes off', () => {
  const book = bookOf([
    planWith({ prices: pricesOf({ price: '2' }), included: { amount: '66', per: 'account' } }),
  ]);
  expect(includedHours(pricesIn(book), 500, november)).toBe(0);
});

test('a billing period that begins within what is expected has included hours of its own', () => {
  const plan = planWith({
    prices: pricesOf({ price: '1' }),
    included: { computeHours: '32', per: 'account' },
  });
  const book: PriceBook = { ...bookOf([plan]), billingPeriod: { kind: 'month', anchorDay: 20 } };
  const begin = { ...forecast, fromAt: now - 5 * hour, untilAt: now + 5 * hour };
  // Of 3.75 and 1.25 hours until the 20th 2 and all are still free, after it all are.
  const price = pricesIn(book);
  expect(includedHours(price, 5, price.billing(now - hour))).toBeCloseTo(3.25, 12);
  expect(includedHours(price, 500, price.billing(now))).toBeCloseTo(64, 12);
  expect(forecastCost(begin, price, begin).total.expected).toBeCloseTo(1.75, 12);
});

test('what has no plan is expected to cost nothing that is known', () => {
  const price = pricesIn(
    bookOf([planWith({ match: { projects: ['b'] }, prices: pricesOf({ price: '1' }) })]),
  );
  expect(meanPrice(price, now)).toBeCloseTo(0.25, 12);
});

test('of hours a stretch cuts only its part counts', () => {
  const stretch = { fromAt: now + hour / 2, untilAt: now + 2.25 * hour };
  expect(forecastCompute(forecast, stretch)).toEqual({
    stretches: [
      { fromAt: now + hour / 2, untilAt: now + hour, amount: 0.5 },
      { fromAt: now + hour, untilAt: now + 2 * hour, amount: 1 },
      { fromAt: now + 2 * hour, untilAt: now + 2.25 * hour, amount: 0.25 },
    ],
    total: { expected: 1.75, low80: 0.875, high80: 3.5, low95: 0.4375, high95: 7 },
  });
});
