import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  type MeteredMonth,
  priceBranches,
  type SpareBranches,
} from '../../../src/cost/finding/branch-saving.ts';
import {
  type Amount,
  addAmounts,
  noAmount,
  showAmount,
  subtractAmounts,
} from '../../../src/cost/money/money.ts';
import { assignPlans } from '../../../src/cost/price/plan-assignment.ts';
import { sumLines } from '../../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../../src/cost/rating/costing.ts';
import { dayMs, hourMs } from '../../../src/resources/duration.ts';
import type { MeteredThing, PriceBook, PricePlan } from '../../../src/resources/price-book.ts';
import type { MeteredLedger, UsageLedger } from '../../../src/resources/usage/ledger.ts';
import { ledgerOf } from '../memory-ledger.ts';
import { bookOf, planWith } from '../price-book-sample.ts';

const beginAt = Date.parse('2026-10-01T00:00:00Z');
const monthMs = 30 * dayMs;

/** What the meter counts of a project in each hour. */
interface Metered {
  readonly branches: number;
  readonly bytes: number;
}

/** A meter of projects that counts the same in every hour of October, and did so before. */
function meterOf(projects: readonly Metered[], knownFromAt = beginAt - monthMs): MeteredLedger {
  const perHour = (ref: number, metric: string) => {
    const { branches = 0, bytes = 0 } = projects[ref - 1] ?? {};
    return metric === 'extra_branches_month' ? branches : metric === 'child_branch_bytes_month' ? bytes : 0;
  };
  return {
    others: [],
    knownSpan: () => ({ fromAt: knownFromAt, untilAt: beginAt }),
    meteredUntil: (ref, metric, at) => Math.floor(perHour(ref, metric) * ((at - beginAt) / hourMs)),
  };
}

function ledgerWith(projects: readonly Metered[], knownFromAt?: number): UsageLedger {
  const ledger = ledgerOf(
    projects.map(() => ({ steps: [] })),
    { knownFrom: '2026-09-01' },
  );
  return { ...ledger, metered: meterOf(projects, knownFromAt) };
}

function monthOf(book: PriceBook, ledger: UsageLedger): MeteredMonth {
  return { book, ledger, assignments: assignPlans(book, ledger.projects, () => [], beginAt), at: beginAt };
}

const byTheHour = { meter: { unit: 'hour', gigabyte: 'decimal' } } as const;
const priceOf = (price: string, beyond: readonly (readonly [string, string])[] = []) => [
  {
    price,
    discountPercent: '0',
    ...(beyond.length > 0 && { tiers: beyond.map(([from, each]) => ({ beyond: from, price: each })) }),
  },
];
const extra = (more: Partial<MeteredThing> = {}): MeteredThing => ({
  name: 'extra branches',
  metric: 'extra_branches_month',
  prices: priceOf('1.5'),
  ...more,
});
const stored = (more: Partial<MeteredThing> = {}): MeteredThing => ({
  name: 'child branch storage',
  metric: 'child_branch_bytes_month',
  prices: priceOf('0.35'),
  ...more,
});
const shown = (month: MeteredMonth, spare: readonly SpareBranches[]) =>
  priceBranches(month, spare).map(saving => saving && showAmount(saving.amount.most, 2));

test('branches that are included at any time save nothing, those beyond them their part of a month of 744 hours', () => {
  const book = bookOf([planWith({ metered: [extra({ includedAtOnce: 9 })] })], byTheHour);
  const month = monthOf(book, ledgerWith([{ branches: 40, bytes: 0 }]));
  // 31 are extra: 720 of 744 hours of each.
  expect(shown(month, [{ project_ref: 1, count: 10 }])).toEqual([((10 * 1.5 * 720) / 744).toFixed(2)]);
  expect(shown(month, [{ project_ref: 1, count: 40 }])).toEqual([((31 * 1.5 * 720) / 744).toFixed(2)]);
  const [saving] = priceBranches(month, [{ project_ref: 1, count: 40 }]);
  expect(saving?.quantities).toEqual(['30.00 branch-months of extra branches']);
  expect(saving?.amount.likely).toEqual(saving?.amount.most);
});

test('a meter that counts months leaves out what is included: no more is saved than it counts', () => {
  const book = bookOf([planWith({ metered: [extra()] })]);
  const ledger = ledgerWith([{ branches: 0, bytes: 0 }]);
  const metered = {
    ...meterOf([]),
    meteredUntil: (_ref: number, _metric: string, at: number) => 4 * Number(at >= beginAt),
  };
  const month = monthOf(book, { ...ledger, metered });
  expect(shown(month, [{ project_ref: 1, count: 3 }])).toEqual(['4.50']);
  expect(shown(month, [{ project_ref: 1, count: 9 }])).toEqual(['6.00']);
});

test('storage is saved by the share of the branches, and not where sizes are not told', () => {
  const book = bookOf([planWith({ metered: [stored()] })], byTheHour);
  const month = monthOf(book, ledgerWith([{ branches: 5, bytes: 10e9 }]));
  const whole = (0.35 * 10 * 720) / 744;
  expect(shown(month, [{ project_ref: 1, count: 5, storedShare: 1 }])).toEqual([whole.toFixed(2)]);
  expect(shown(month, [{ project_ref: 1, count: 2, storedShare: 0.25 }])).toEqual([(whole / 4).toFixed(2)]);
  const [saving] = priceBranches(month, [{ project_ref: 1, count: 2, storedShare: 0.25 }]);
  expect(saving?.quantities).toEqual(['at most 2.42 GB-months of child branch storage']);
  expect(saving?.amount).not.toHaveProperty('likely');
  expect(shown(month, [{ project_ref: 1, count: 2 }])).toEqual([undefined]);
});

test('branches that are there for three days save no more than these days cost', () => {
  const book = bookOf([planWith({ metered: [extra(), stored()] })], byTheHour);
  const ledger = ledgerWith([{ branches: 0, bytes: 0 }]);
  const meteredUntil = (_ref: number, metric: string, at: number) => {
    const hours = Math.max(0, at - beginAt + 3 * dayMs) / hourMs;
    return Math.floor(
      hours * (metric === 'extra_branches_month' ? 5 : metric === 'child_branch_bytes_month' ? 10e9 : 0),
    );
  };
  const month = monthOf(book, { ...ledger, metered: { ...meterOf([]), meteredUntil } });
  const whole = ((5 * 1.5 + 10 * 0.35) * 72) / 744;
  expect(shown(month, [{ project_ref: 1, count: 5, storedShare: 1 }])).toEqual([whole.toFixed(2)]);
});

test('without a meter, one known for a day, or a price there is no money', () => {
  const spare = [{ project_ref: 1, count: 2, storedShare: 1 }];
  const book = bookOf([planWith({ metered: [extra(), stored()] })], byTheHour);
  const metered = [{ branches: 5, bytes: 10e9 }];
  const { metered: _none, ...unmetered } = ledgerWith(metered);
  expect(shown(monthOf(book, unmetered), spare)).toEqual([undefined]);
  expect(shown(monthOf(book, ledgerWith(metered, beginAt - 23 * hourMs)), spare)).toEqual([undefined]);
  expect(shown(monthOf(bookOf([planWith({})], byTheHour), ledgerWith(metered)), spare)).toEqual([undefined]);
  const over = bookOf([planWith({ metered: [extra({ untilAt: beginAt })] })], byTheHour);
  expect(shown(monthOf(over, ledgerWith(metered)), spare)).toEqual([undefined]);
  const foreign = bookOf([planWith({ currency: 'CHF', metered: [extra()] })], byTheHour);
  expect(shown(monthOf(foreign, ledgerWith(metered)), spare)).toEqual([undefined]);
});

const decimal = (max: number) =>
  fc.integer({ min: 0, max: max * 100 }).map(units => (units / 100).toFixed(2));
const per = fc.constantFrom('account', 'project');
const terms = fc.record({
  price: decimal(3),
  tier: fc.option(fc.record({ beyond: fc.integer({ min: 1, max: 30 }).map(String), price: decimal(3) })),
  included: fc.option(fc.record({ quantity: decimal(20), per })),
});
type Terms = typeof terms extends fc.Arbitrary<infer Value> ? Value : never;

const chargedBy = ({ price, tier, included }: Terms): Pick<MeteredThing, 'prices' | 'included'> => ({
  prices: priceOf(price, tier === null ? [] : [[tier.beyond, tier.price]]),
  ...(included && { included }),
});

const plan: fc.Arbitrary<PricePlan> = fc
  .record({
    projects: fc.subarray(['project-1', 'project-2', 'project-3'], { minLength: 1 }),
    currency: fc.constantFrom('USD', 'EUR'),
    branches: terms,
    storage: terms,
    includedAtOnce: fc.option(fc.integer({ min: 1, max: 12 })),
  })
  .map(({ projects, currency, branches, storage, includedAtOnce }) =>
    planWith({
      match: { projects },
      currency,
      metered: [
        extra({ ...chargedBy(branches), ...(includedAtOnce !== null && { includedAtOnce }) }),
        stored(chargedBy(storage)),
      ],
    }),
  );

/** The bill of the month to come by the code that rates real ones. */
function rate(book: PriceBook, projects: readonly Metered[]): Amount {
  const costing = createCosting({ book, ledger: ledgerWith(projects) });
  return sumLines(costing.usageLines({ fromAt: beginAt, untilAt: beginAt + monthMs })).amount;
}

test('savings add up to the difference of the bill with the branches and the one without, to the last decimal', () => {
  const metered = fc.record({
    branches: fc.integer({ min: 0, max: 30 }),
    // Eighths of it are whole bytes.
    bytes: fc.integer({ min: 0, max: 4e9 }).map(bytes => bytes * 8),
  });
  const spared = fc.record({
    count: fc.integer({ min: 1, max: 30 }),
    eighths: fc.integer({ min: 0, max: 8 }),
  });
  fc.assert(
    fc.property(
      fc.array(plan, { minLength: 1, maxLength: 3 }),
      fc.array(metered, { minLength: 3, maxLength: 3 }),
      fc.array(fc.option(spared), { minLength: 3, maxLength: 3 }),
      (plans, projects, changes) => {
        const book = bookOf(
          plans.map((one, index) => ({ ...one, name: `plan-${index}` })),
          {
            ...byTheHour,
            billingPeriod: { kind: 'hours', hours: 720, anchorAt: beginAt },
            exchangeRates: [{ currency: 'EUR', fromAt: 0, rate: '1.07' }],
          },
        );
        const spare = changes.flatMap((change, index): SpareBranches[] =>
          change === null
            ? []
            : [{ project_ref: index + 1, count: change.count, storedShare: change.eighths / 8 }],
        );
        const savings = priceBranches(monthOf(book, ledgerWith(projects)), spare);
        const left = projects.map(({ branches, bytes }, index) => {
          const { count, eighths } = changes[index] ?? { count: 0, eighths: 0 };
          return { branches: Math.max(0, branches - count), bytes: bytes - (bytes * eighths) / 8 };
        });
        const difference = subtractAmounts(rate(book, projects), rate(book, left));
        const total = savings.reduce<Amount>(
          (sum, saving) => addAmounts(sum, saving?.amount.most ?? noAmount),
          noAmount,
        );
        expect(showAmount(subtractAmounts(total, difference), 12)).toBe('0.000000000000');
      },
    ),
  );
});
