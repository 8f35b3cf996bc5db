import { describe, expect, test } from 'vitest';
import { watchSpending } from '../../src/cost/budget/spending.ts';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import { amountNumber, showAmount } from '../../src/cost/money/money.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import { shareByGroup } from '../../src/cost/rating/group-share.ts';
import type { PricePlan } from '../../src/resources/price-book.ts';
import type { SpendingBudget } from '../../src/resources/spending-budget.ts';
import { ledgerOf, type ScriptedProject } from './memory-ledger.ts';
import { bookOf, planWith, pricesOf } from './price-book-sample.ts';

const now = Date.parse('2026-10-11T00:00Z');
const hourMs = 3_600_000;

// Of acme: `web` 24 compute hours a day, `job` 6 on the tenth from 18:00 on; of other: `far` 1 a day.
const fleet: readonly ScriptedProject[] = [
  { project_id: 'web', steps: [['2026-10-01', '2026-10-11', 240]] },
  { project_id: 'job', steps: [['2026-10-10T18:00Z', '2026-10-11T00:00Z', 6]] },
  { project_id: 'far', account: 'other', steps: [['2026-10-01', '2026-10-11', 10]] },
];
const groups = shareByGroup([{ name: 'team', groups: [{ name: 'shop', match: { projects: ['w*'] } }] }]);

function basisOf(plan: Partial<PricePlan> = {}, projects = fleet, zone = 'UTC') {
  const book = bookOf([planWith({ prices: pricesOf({ price: '0.5' }), ...plan })]);
  const ledger = ledgerOf(projects);
  const costing = createCosting({ book, ledger, groupsOf: groups.groupsOf });
  return { ledger, costing, groups, billing: billingCalendar(book.billingPeriod), zone };
}

function budgetOf(budget: Partial<SpendingBudget> = {}): SpendingBudget {
  return {
    name: 'all',
    scope: { kind: 'account', account: 'acme' },
    limit: { kind: 'money', amount: '372' },
    per: 'month',
    ...budget,
  };
}

describe('what was spent of a budget', () => {
  test('is what its account, group or projects cost since the period began', () => {
    const scopes: SpendingBudget['scope'][] = [
      { kind: 'account', account: 'acme' },
      { kind: 'account', account: 'other' },
      { kind: 'group', grouping: 'team', group: 'shop' },
      { kind: 'group', grouping: 'team', group: 'ungrouped' },
      { kind: 'projects', projects: ['*b'] },
    ];
    const spent = scopes.map(scope =>
      showAmount(watchSpending(budgetOf({ scope }), basisOf(), now).spent, 2),
    );
    expect(spent).toEqual(['123.00', '5.00', '120.00', '8.00', '123.00']);
  });

  test('is compared with the limit, in money or in compute hours', () => {
    const compute = { kind: 'compute', computeHours: '1000' } as const;
    expect(watchSpending(budgetOf(), basisOf(), now).usedRatio).toBeCloseTo(123 / 372, 12);
    const state = watchSpending(
      budgetOf({ limit: compute }),
      basisOf({ match: { accounts: ['none'] } }),
      now,
    );
    expect([amountNumber(state.spent), state.usedRatio]).toEqual([246, 0.246]);
  });

  test('leaves out what has no price, and what has no exchange rate', () => {
    const unpriced = watchSpending(budgetOf(), basisOf({ match: { projects: ['web'] } }), now);
    expect(amountNumber(unpriced.spent)).toBe(120);
    const foreign = watchSpending(budgetOf(), basisOf({ currency: 'EUR' }), now);
    expect(amountNumber(foreign.spent)).toBe(0);
  });

  test('of nothing allowed is infinitely much, and of nothing spent nothing', () => {
    const limit = { kind: 'money', amount: '0' } as const;
    expect(watchSpending(budgetOf({ limit }), basisOf(), now).usedRatio).toBe(Number.POSITIVE_INFINITY);
    expect(watchSpending(budgetOf({ limit }), basisOf({}, []), now).usedRatio).toBe(0);
  });

  test.each([
    ['day', 'UTC', '2026-10-11T00:00:00.000Z', '0.00'],
    ['day', 'America/New_York', '2026-10-10T04:00:00.000Z', '13.00'],
    ['week', 'UTC', '2026-10-05T00:00:00.000Z', '75.00'],
    ['month', 'Asia/Kathmandu', '2026-09-30T18:15:00.000Z', '123.00'],
    ['billing', 'Asia/Kathmandu', '2026-10-01T00:00:00.000Z', '123.00'],
  ] as const)('a %s in %s is since %s', (per, zone, from, expected) => {
    const { period, spent } = watchSpending(budgetOf({ per }), basisOf({}, fleet, zone), now);
    expect(new Date(period.fromAt).toISOString()).toBe(from);
    expect(showAmount(spent, 2)).toBe(expected);
  });

  describe('has the minimum of a billing period', () => {
    const spentAt = (
      at: string,
      budget: Partial<SpendingBudget>,
      zone = 'UTC',
      plan: Partial<PricePlan> = {},
    ) => {
      const snapshot = basisOf({ minimum: '1000', ...plan }, fleet, zone);
      const { spent, burnRates } = watchSpending(budgetOf(budget), snapshot, Date.parse(at));
      return { spent: showAmount(spent, 2), rates: burnRates.map(({ rate }) => rate) };
    };

    test('that began within its own, once it is over, which burns nothing', () => {
      // October is topped up from 123 to 1000.
      expect(spentAt('2026-10-31T23:59Z', { per: 'month' })).toMatchObject({ spent: '123.00' });
      const later = spentAt('2026-11-01T01:00Z', { per: 'month' }, 'America/New_York');
      // There the first four hours of it are of September.
      expect(later).toEqual({ spent: '998.00', rates: [0, 0, 0, 0] });
      const projects = { kind: 'projects', projects: ['web', 'job'] } as const;
      const own = spentAt('2026-11-01T01:00Z', { per: 'month', scope: projects }, 'America/New_York');
      expect(own.spent).toBe('121.00');
    });

    test.each(['UTC', 'Europe/Berlin', 'Pacific/Kiritimati', 'America/New_York'])(
      'and never one that began before it, in %s',
      zone => {
        for (const at of [
          '2026-11-01T05:00Z',
          '2026-11-02T12:00Z',
          '2026-11-30T09:00Z',
          '2026-12-31T23:00Z',
        ]) {
          for (const per of ['day', 'week', 'month', 'billing'] as const)
            expect(spentAt(at, { per }, zone).spent, `${per} at ${at}`).toBe('0.00');
        }
      },
    );

    test('of some hours for each that began within it and is over', () => {
      const book = { ...bookOf([planWith({ minimum: '7', prices: pricesOf({ price: '0.5' }) })]) };
      const billingPeriod = { kind: 'hours', hours: 72, anchorAt: Date.parse('2026-10-30T12:00Z') } as const;
      const ledger = ledgerOf(fleet);
      const weekly = { ...book, billingPeriod };
      const costing = createCosting({ book: weekly, ledger, groupsOf: groups.groupsOf });
      const billing = billingCalendar(billingPeriod);
      const context = { ledger, costing, groups, billing, zone: 'Europe/Berlin' };
      const { spent } = watchSpending(budgetOf({ per: 'month' }), context, Date.parse('2026-11-09T00:00Z'));
      // Those from 2 and 5 November on; that of 30 October is of October, and that of 8 November is not over.
      expect(showAmount(spent, 2)).toBe('14.00');
    });
  });
});

test('the burn rate is spending in a window by what the limit allows for in it', () => {
  // 372 in the 744 hours of October are 0.5 an hour; web costs that, and job as much in its six hours.
  expect(watchSpending(budgetOf(), basisOf(), now).burnRates).toEqual([
    { window: '1h', rate: 2 },
    { window: '6h', rate: 2 },
    { window: '1d', rate: 1.25 },
    { window: '3d', rate: 78 / 72 },
  ]);
});

describe('the outlook of a budget', () => {
  const hourly = (amount: number) => (stretch: { fromAt: number; untilAt: number }) => ({
    stretches: Array.from({ length: (stretch.untilAt - stretch.fromAt) / hourMs }, (_, hour) => ({
      fromAt: stretch.fromAt + hour * hourMs,
      untilAt: stretch.fromAt + (hour + 1) * hourMs,
      amount,
    })),
    total: { expected: 504 * amount, low80: 100, high80: 200, low95: 50, high95: 300 },
  });

  test('adds what is expected until the period ends', () => {
    const state = watchSpending(budgetOf(), basisOf(), now, hourly(0.25));
    // 504 hours are left.
    expect(state).toMatchObject({
      projected: 249,
      projectedBounds: { low80: 223, high80: 323, low95: 173, high95: 423 },
    });
    expect(state.reachedAt).toBeUndefined();
  });

  test('tells when the limit is reached, within the hour', () => {
    const limit = { kind: 'money', amount: '129.25' } as const;
    const state = watchSpending(budgetOf({ limit }), basisOf(), now, hourly(0.5));
    // 6.25 are left: twelve and a half hours.
    expect(state).toMatchObject({ projected: 375, reachedAt: Date.parse('2026-10-11T12:30Z') });
  });

  test('of a limit that is reached tells since when, with a forecast and without', () => {
    const reachedAt = (amount: string, expect?: ReturnType<typeof hourly>) =>
      watchSpending(budgetOf({ limit: { kind: 'money', amount } }), basisOf(), now, expect).reachedAt;
    // 0.5 an hour from the first on, 1 from the tenth at 18:00 on, when 117 are spent.
    expect(reachedAt('100', hourly(0.5))).toBe(Date.parse('2026-10-09T08:00Z'));
    expect(reachedAt('121.5')).toBe(Date.parse('2026-10-10T22:30Z'));
    expect(reachedAt('123', hourly(0))).toBe(now);
    expect(reachedAt('123.01')).toBeUndefined();
  });

  test('of a limit that is reached tells the same instant whenever it is asked', () => {
    // Not even within the hour: all 6 hours from 18:20 to 18:40.
    const burst: ScriptedProject[] = [
      { project_id: 'job', steps: [['2026-10-10T18:20Z', '2026-10-10T18:40Z', 6]] },
    ];
    const snapshot = basisOf({}, burst);
    const budget = budgetOf({ limit: { kind: 'money', amount: '1' } });
    const instants = [0, 7, 61, 12_345].map(minutes => {
      return watchSpending(budget, snapshot, now + minutes * 60_000).reachedAt;
    });
    expect(new Set(instants)).toEqual(new Set([Date.parse('2026-10-10T18:20Z')]));
  });

  test('in compute hours tells since when as well', () => {
    const limit = { kind: 'compute', computeHours: '48' } as const;
    const state = watchSpending(budgetOf({ limit }), basisOf(), now);
    expect(state.reachedAt).toBe(Date.parse('2026-10-03T00:00Z'));
  });

  test('without a forecast says nothing of the end of the period', () => {
    expect(watchSpending(budgetOf(), basisOf(), now)).not.toHaveProperty('projected');
  });
});
