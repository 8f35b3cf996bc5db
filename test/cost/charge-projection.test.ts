import { expect, test } from 'vitest';
import { watchSpending } from '../../src/cost/budget/spending.ts';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import { addBounds } from '../../src/cost/forecast/bound.ts';
import { addCharges, ChargeProjection, withMetered } from '../../src/cost/forecast/charge-projection.ts';
import type { Forecast } from '../../src/cost/forecast/forecast.ts';
import { growthFactor } from '../../src/cost/forecast/metered-growth.ts';
import { rollMeter } from '../../src/cost/forecast/metered-past.ts';
import { meteredCost } from '../../src/cost/forecast/projected-meter.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import { shareByGroup } from '../../src/cost/rating/group-share.ts';
import type { MeterMetric } from '../../src/resources/meter.ts';
import type { PriceBook, PricePlan } from '../../src/resources/price-book.ts';
import type { UsageLedger } from '../../src/resources/usage/ledger.ts';
import { ledgerOf } from './memory-ledger.ts';
import { bookOf, planWith, pricesOf } from './price-book-sample.ts';

const hourMs = 3_600_000;
const now = Date.parse('2026-11-21');
const november = { fromAt: Date.parse('2026-11-01'), untilAt: Date.parse('2026-12-01') };

/** 100 compute hours in twenty days, 0.5 an hour at a price of 1 a compute hour for ten days to come. */
const ledger: UsageLedger = ledgerOf([
  { project_id: 'a', steps: [['2026-11-01', '2026-11-21', 75]] },
  { project_id: 'b', steps: [['2026-11-01', '2026-11-21', 25]] },
]);

function forecastOf(_account: string, untilAt: number): Forecast {
  const hours = new Float64Array((untilAt - now) / hourMs).fill(1800);
  const expected = hours.length * 1800;
  return {
    fromAt: now,
    untilAt,
    hours,
    expected,
    ...{ low80: expected / 2, high80: expected * 2 },
    ...{ low95: expected / 4, high95: expected * 4 },
  };
}

function open(plan: Partial<PricePlan>, more: Partial<PriceBook> = {}) {
  const book = bookOf([planWith({ prices: pricesOf({ price: '1' }), ...plan })], more);
  const billing = billingCalendar(book.billingPeriod);
  const costing = createCosting({ book, ledger });
  const projection = new ChargeProjection({
    ledger,
    now,
    billing,
    recentUse: new Map([
      [1, 3 * hourMs],
      [2, hourMs],
    ]),
    costingOf: projected => createCosting({ book, ledger: projected }),
    forecastOf,
  });
  return { book, billing, costing, projection };
}

test('a minimum is expected as far as the use to come does not fill it up', () => {
  const { projection } = open({ minimum: '300' });
  // 100 are used. 120 are expected, or from 30 to 480.
  const charges = { expected: 80, atEnd: 80, low80: 140, high80: 0, low95: 170, high95: 0 };
  expect(projection.charges(november, () => true)).toEqual(charges);
});

test('a bill is expected to come to its minimum at least, and to its use where that is more, also beside a meter', () => {
  const { projection } = open({ minimum: '300' });
  const use = { expected: 220, low80: 160, high80: 340, low95: 130, high95: 580 };
  const metered = { expected: 5, low80: 4, high80: 6, low95: 3, high95: 7 };
  const charges = withMetered(
    projection.charges(november, () => true),
    metered,
  );
  expect(addBounds(use, charges)).toEqual({
    expected: 305,
    low80: 304,
    high80: 346,
    low95: 303,
    high95: 587,
  });
});

test('base fees are expected in whole, and counted things at their level of now', () => {
  const { projection } = open({
    baseFee: '19',
    counted: [{ name: 'projects', of: 'projects', included: '1', price: '6', count: 'time' }],
  });
  expect(projection.charges(november, () => true)).toMatchObject({ expected: 25, low80: 25, high95: 25 });
});

test('taxes grow with the use, and a credit takes off at most what will be charged', () => {
  const taxed = open({}, { adjustments: [{ name: 'VAT', kind: 'tax', percent: '10' }] });
  expect(taxed.projection.charges(november, () => true)).toMatchObject({ expected: 22, high80: 34 });
  const time = { onAt: november.fromAt };
  const credited = open(
    {},
    { adjustments: [{ name: 'startup', kind: 'credit', time, currency: 'USD', amount: '200' }] },
  );
  expect(credited.projection.charges(november, () => true)).toMatchObject({ expected: -200, low80: -160 });
});

test('an allowance in money takes off what is used in the end', () => {
  const { projection } = open({ included: { amount: '180', per: 'account' } });
  expect(projection.charges(november, () => true)).toMatchObject({ expected: -180, low80: -160 });
});

test('a stretch in which no billing period begins has no charges, nor has an account that is not meant', () => {
  const { projection } = open({ minimum: '300' });
  const day = { fromAt: now, untilAt: now + 24 * hourMs };
  expect(projection.charges(day, () => true).expected).toBe(0);
  expect(projection.charges(november, () => false).expected).toBe(0);
});

test('a budget for a billing period has a minimum in its projection before it is due', () => {
  const { billing, costing, projection } = open({ minimum: '300', baseFee: '20' });
  const budget = {
    name: 'all',
    scope: { kind: 'account', account: 'acme' },
    limit: { kind: 'money', amount: '310' },
    per: 'billing',
  } as const;
  const context = { ledger, costing, billing, groups: shareByGroup([]), zone: 'UTC' };
  const stretches = Array.from({ length: 240 }, (_, hour) => ({
    fromAt: now + hour * hourMs,
    untilAt: now + (hour + 1) * hourMs,
    amount: 0.5,
  }));
  const total = { expected: 120, low80: 60, high80: 240, low95: 30, high95: 480 };
  const state = watchSpending(budget, context, now, (_, period) =>
    addCharges(
      { stretches, total },
      projection.charges(period, () => true),
      20,
    ),
  );
  // The base fee is charged already; the minimum is due with the last hour.
  expect(state.usedRatio).toBeCloseTo(120 / 310, 12);
  expect(state.projected).toBeCloseTo(320, 9);
  expect(state.projectedBounds).toEqual({ low80: 320, high80: 360, low95: 320, high95: 600 });
  expect(new Date(state.reachedAt ?? 0).toISOString().slice(0, 13)).toBe('2026-11-30T23');
});

test('what is metered goes on as in its last week, and what is included is used up first', () => {
  const dayMs = 24 * hourMs;
  const settledAt = now - 2 * dayMs;
  // 2 GB a day, of `a` alone; of the day after what is settled 3 GB are told already.
  const told = (at: number) => {
    const days = Math.max(0, at - november.fromAt) / dayMs;
    return Math.min(2e9 * Math.min(days, 18) + 3e9 * Math.max(0, days - 18), 2e9 * 18 + 3e9);
  };
  const book = bookOf([
    planWith({
      prices: pricesOf({ price: '1' }),
      metered: [
        {
          name: 'transfer',
          metric: 'public_network_transfer_bytes',
          prices: [{ price: '1', discountPercent: '0' }],
          included: { quantity: '50', per: 'account' },
        },
      ],
    }),
  ]);
  const metered = {
    others: [],
    knownSpan: () => ({ fromAt: november.fromAt, untilAt: settledAt }),
    meteredUntil: (project_ref: number, metric: MeterMetric, at: number) =>
      project_ref === 1 && metric === 'public_network_transfer_bytes' ? Math.floor(told(at)) : 0,
  };
  const known = { ...ledger, metered };
  const costingOf = (projected: UsageLedger) => createCosting({ book, ledger: projected });
  const billing = billingCalendar(book.billingPeriod);
  const projection = new ChargeProjection({
    ...{ ledger: known, now, billing, recentUse: new Map(), costingOf, forecastOf },
  });
  expect(meteredCost(costingOf(known).usageLines({ ...november, untilAt: now }))).toBe(0);
  // 60 GB in thirty days, and 50 are free.
  const found = projection.metered(november, () => true);
  expect(found.expected).toBeCloseTo(10, 6);
  // Nothing is known of its past.
  expect([found.low80, found.high95]).toEqual([found.expected, found.expected]);
  expect(projection.metered(november, ({ project_id }) => project_id === 'b').expected).toBe(0);
  // As even as it was so far, it may still be more than before: of 36 GB and 24 to come, 50 are free.
  const past = rollMeter(metered, known.projects);
  const bounded = projection.metered(november, () => true, past);
  expect(bounded.expected).toBeCloseTo(10, 6);
  const order = [bounded.low95, bounded.low80, bounded.expected, bounded.high80, bounded.high95];
  expect(order).toEqual(order.toSorted((a, b) => a - b));
  expect(bounded.low95).toBeGreaterThanOrEqual(0);
  const factor = growthFactor(past, 'public_network_transfer_bytes', november.untilAt, 'high80');
  expect(bounded.high80).toBeCloseTo(36 + 24 * factor - 50, 6);
  expect(factor).toBeGreaterThan(1);
});

test('bounds of a sum are in order also where what is charged falls as use grows', () => {
  const use = { expected: 10, low80: 8, high80: 12, low95: 6, high95: 14 };
  const topUp = { expected: 20, low80: 26, high80: 14, low95: 32, high95: 8 };
  expect(addBounds(use, topUp)).toEqual({ expected: 30, low80: 26, high80: 34, low95: 22, high95: 38 });
  // A budget has the minimum of a billing period that goes on after it: it is filled up by use that the budget lacks.
  const later = { expected: 20, low80: 25, high80: 18, low95: 30, high95: 18 };
  expect(addBounds(use, later)).toEqual({ expected: 30, low80: 30, high80: 33, low95: 30, high95: 36 });
  expect(addBounds(use, use)).toEqual({ expected: 20, low80: 16, high80: 24, low95: 12, high95: 28 });
});
