import fc from 'fast-check';
import type { CostingInput } from '../../src/cost/rating/costing.ts';
import type { BillingPeriod, DatedPrice, PriceBook, PricePlan } from '../../src/resources/price-book.ts';
import type { UsageLedger, UsageProject } from '../../src/resources/usage/ledger.ts';

export const originAt = Date.parse('2026-01-20T00:00Z');
export const spanMs = 100 * 86_400_000;

/** Instants of a hundred days, some of them midnights. */
export const instant: fc.Arbitrary<number> = fc.oneof(
  fc.integer({ min: 0, max: spanMs }).map(ms => originAt + ms),
  fc.integer({ min: 0, max: 100 }).map(days => originAt + days * 86_400_000),
);

const decimal = (max: number, places: number): fc.Arbitrary<string> =>
  fc.integer({ min: 0, max: max * 10 ** places }).map(units => (units / 10 ** places).toFixed(places));

/** In order of time, some with a gap after them. */
const prices: fc.Arbitrary<DatedPrice[]> = fc
  .uniqueArray(instant, { minLength: 1, maxLength: 6 })
  .chain(cuts => {
    const sorted = cuts.toSorted((a, b) => a - b);
    return fc.tuple(
      ...sorted.map((fromAt, index) =>
        fc
          .record({ perComputeHour: decimal(2, 4), discountPercent: decimal(100, 1), isGap: fc.boolean() })
          .map(({ isGap, ...price }): DatedPrice[] => {
            const untilAt = sorted[index + 1];
            if (isGap && index > 0) return [];
            return [{ fromAt, ...(untilAt === undefined ? {} : { untilAt }), ...price }];
          }),
      ),
    );
  })
  .map(dated => dated.flat());

const plan: fc.Arbitrary<PricePlan> = fc
  .record({
    accounts: fc.constantFrom<readonly string[] | undefined>(undefined, ['a'], ['b']),
    projects: fc.constantFrom<readonly string[] | undefined>(undefined, ['p1', 'p3', 'p5'], ['p2']),
    currency: fc.constantFrom('USD', 'EUR', 'JPY'),
    prices,
    included: fc.option(
      fc.record({ computeHours: decimal(60, 3), per: fc.constantFrom('account', 'project') }),
    ),
    minimum: fc.option(decimal(30, 2)),
  })
  .map(({ accounts, projects, included, minimum, ...rest }) => ({
    name: 'plan',
    match: { ...(accounts && { accounts }), ...(projects && { projects }) },
    ...rest,
    ...(included && { included }),
    ...(minimum !== null && { minimum }),
  }));

const billingPeriod: fc.Arbitrary<BillingPeriod> = fc.oneof(
  fc.record({ kind: fc.constant('month' as const), anchorDay: fc.integer({ min: 1, max: 31 }) }),
  fc.record({
    kind: fc.constant('hours' as const),
    hours: fc.integer({ min: 1, max: 900 }),
    anchorAt: instant,
  }),
);

const book: fc.Arbitrary<PriceBook> = fc
  .record({
    displayCurrency: fc.constant('USD'),
    billingPeriod,
    plans: fc.array(plan, { maxLength: 3 }),
    exchangeRates: fc.array(
      fc.record({ currency: fc.constant('EUR'), fromAt: instant, rate: decimal(2, 4) }),
      { maxLength: 3 },
    ),
  })
  .map(({ plans, exchangeRates, ...rest }) => ({
    ...rest,
    plans: plans.map((one, index) => ({ ...one, name: `plan-${index}` })),
    exchangeRates: exchangeRates.toSorted((a, b) => a.fromAt - b.fromAt),
  }));

interface Burst {
  readonly fromAt: number;
  readonly lengthMs: number;
  readonly size: number;
}

const bursts: fc.Arbitrary<Burst[]> = fc.array(
  fc.record({
    fromAt: instant,
    lengthMs: fc.integer({ min: 1, max: 20 * 86_400_000 }),
    size: fc.integer({ min: 1, max: 8 }),
  }),
  { maxLength: 4 },
);

/** Up to six projects of two accounts that use whole CU-milliseconds now and then. */
const ledger: fc.Arbitrary<UsageLedger> = fc.array(bursts, { maxLength: 6 }).map(used => ({
  projects: used.map(
    (_, index): UsageProject => ({
      project_ref: index,
      account: index % 2 === 0 ? 'a' : 'b',
      project_id: `p${index}`,
      region_id: index % 3 === 0 ? 'eu' : 'us',
    }),
  ),
  knownFrom: () => originAt,
  knownUntil: () => originAt + spanMs,
  usedUntil: (project_ref, at) =>
    (used[project_ref] ?? []).reduce(
      (sum, { fromAt, lengthMs, size }) => sum + size * Math.min(lengthMs, Math.max(0, at - fromAt)),
      0,
    ),
}));

/** Use of a hundred days, and what it might be charged by. */
export const bill: fc.Arbitrary<CostingInput> = fc.record({ book, ledger });
