import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  priceSavings,
  readMonthUse,
  type SavingCase,
  type SparedUse,
  settleSavings,
  sumPaid,
} from '../../../src/cost/finding/saving.ts';
import {
  type Amount,
  addAmounts,
  compareAmounts,
  noAmount,
  showAmount,
  subtractAmounts,
  sumAmounts,
} from '../../../src/cost/money/money.ts';
import { assignPlans } from '../../../src/cost/price/plan-assignment.ts';
import { sumLines } from '../../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../../src/cost/rating/costing.ts';
import { dayMs } from '../../../src/resources/duration.ts';
import type { Saving } from '../../../src/resources/finding.ts';
import type { PriceBook, PricePlan } from '../../../src/resources/price-book.ts';
import { computeHourMs } from '../../../src/resources/usage/ledger.ts';
import { countSteps } from '../../support/step-count.ts';
import { ledgerOf } from '../memory-ledger.ts';
import { bookOf, planWith, pricesOf } from '../price-book-sample.ts';

const begin = '2026-10-01T00:00:00Z';
const end = '2026-10-31T00:00:00Z';
const beginAt = Date.parse(begin);

/** A month in which the projects use these hours each. */
function caseOf(book: PriceBook, hours: readonly number[]): SavingCase {
  const { projects } = ledgerOf(hours.map(() => ({ steps: [] })));
  return {
    book,
    assignments: assignPlans(book, projects, () => [], beginAt),
    at: beginAt,
    monthUse: new Map(hours.map((used, index) => [index + 1, Math.round(used * computeHourMs)])),
  };
}

function shown(savings: readonly (Saving<Amount> | undefined)[]): (string | undefined)[] {
  return savings.map(saving => saving && showAmount(saving.most, 2));
}

const half = pricesOf({ price: '0.5' });
const spare = (project_ref: number, hours: number, likely = hours): SparedUse => {
  return { project_ref, hours: { likely, most: hours } };
};

test('without included hours and minimums a saving is its hours at their price', () => {
  const book = bookOf([planWith({ prices: half })]);
  expect(shown(priceSavings(caseOf(book, [100, 50]), [spare(1, 80), spare(2, 10)]))).toEqual([
    '40.00',
    '5.00',
  ]);
});

test('an account that pays nothing beyond its minimum saves nothing', () => {
  const book = bookOf([planWith({ prices: half, minimum: '500' })]);
  expect(shown(priceSavings(caseOf(book, [800, 150]), [spare(1, 694)]))).toEqual(['0.00']);
});

test('what is left of a bill above its minimum is saved once, by the largest first', () => {
  const book = bookOf([planWith({ prices: half, minimum: '500' })]);
  const savings = priceSavings(caseOf(book, [800, 400]), [spare(2, 100), spare(1, 150), spare(2, 10)]);
  expect(shown(savings)).toEqual(['25.00', '75.00', '0.00']);
});

test('hours that are included are not saved', () => {
  const account = bookOf([planWith({ prices: half, included: { computeHours: '100', per: 'account' } })]);
  expect(shown(priceSavings(caseOf(account, [90, 30]), [spare(1, 60), spare(2, 5)]))).toEqual([
    '10.00',
    '0.00',
  ]);
  const project = bookOf([planWith({ prices: half, included: { computeHours: '50', per: 'project' } })]);
  expect(shown(priceSavings(caseOf(project, [90, 30]), [spare(1, 60), spare(2, 30)]))).toEqual([
    '20.00',
    '0.00',
  ]);
});

test('a project never saves more than it uses, and an unpriced one nothing that is known', () => {
  const plan = planWith({ match: { projects: ['project-1', 'project-2'] }, prices: half });
  const savings = priceSavings(caseOf(bookOf([plan]), [10, 4, 7]), [
    spare(1, 30),
    spare(1, 5),
    spare(2, 1),
    spare(3, 7),
  ]);
  expect(shown(savings)).toEqual(['5.00', '0.00', '0.50', undefined]);
});

test('money that is included, of each project too, and tiers count as they do in a bill', () => {
  const each = bookOf([planWith({ prices: half, included: { amount: '20', per: 'project' } })]);
  // 20 buy 40 hours of each project.
  expect(shown(priceSavings(caseOf(each, [90, 30]), [spare(1, 60), spare(2, 30)]))).toEqual([
    '25.00',
    '0.00',
  ]);
  const tiers = [{ beyondHours: '100', perComputeHour: '0.25' }];
  const book = bookOf([planWith({ prices: half.map(price => ({ ...price, tiers })) })]);
  expect(shown(priceSavings(caseOf(book, [90, 30]), [spare(1, 60)]))).toEqual(['25.00']);
});

test('what a plan includes is that of the day', () => {
  const included = [{ fromAt: 0, untilAt: beginAt, computeHours: '50', per: 'account' as const }];
  const book = bookOf([planWith({ prices: half, included, minimum: [{ fromAt: beginAt, amount: '30' }] })]);
  expect(shown(priceSavings(caseOf(book, [90]), [spare(1, 60)]))).toEqual(['15.00']);
});

test('allowances and minimums of short billing periods count for each of a month', () => {
  const included = { computeHours: '2', per: 'account' } as const;
  const book = bookOf([planWith({ prices: half, included, minimum: '1' })], {
    billingPeriod: { kind: 'hours', hours: 24, anchorAt: beginAt },
  });
  // 30 x 2 hours are included, and the minimums are 30: 60 more hours.
  expect(shown(priceSavings(caseOf(book, [150]), [spare(1, 100)]))).toEqual(['15.00']);
});

test('the use of a month is that of 30 days, as far as the project is known', () => {
  const ledger = ledgerOf([
    { steps: [[begin, end, 300]] },
    { steps: [['2026-10-21T00:00:00Z', end, 50]], created_at: Date.parse('2026-10-21T00:00:00Z') },
    { steps: [[begin, end, 300]], gone_at: Date.parse('2026-10-30T00:00:00Z') },
    { steps: [['2026-10-30T00:00:00Z', end, 10]], created_at: Date.parse('2026-10-30T00:00:00Z') },
  ]);
  const span = { knownFromAt: 0, untilAt: Date.parse(end) };
  const hours = ledger.projects.map(project => readMonthUse(ledger, project, span) / computeHourMs);
  expect(hours).toEqual([300, 50, 0, 10]);
});

const decimal = (max: number) =>
  fc.integer({ min: 0, max: max * 100 }).map(units => (units / 100).toFixed(2));

const plan: fc.Arbitrary<PricePlan> = fc
  .record({
    projects: fc.subarray(['project-1', 'project-2', 'project-3', 'project-4'], { minLength: 1 }),
    currency: fc.constantFrom('USD', 'EUR'),
    price: decimal(2),
    discount: decimal(100),
    included: fc.option(fc.record({ computeHours: decimal(60), per: fc.constantFrom('account', 'project') })),
    minimum: fc.option(decimal(30)),
    money: fc.option(decimal(20)),
    tier: fc.option(fc.record({ beyondHours: decimal(60), perComputeHour: decimal(2) })),
  })
  .map(({ projects, price, discount, included, minimum, currency, money, tier }) =>
    planWith({
      match: { projects },
      currency,
      prices: pricesOf({ price, discount }).map(each => ({ ...each, ...(tier && { tiers: [tier] }) })),
      ...(money !== null && { included: { amount: money, per: 'account' } }),
      ...(included && { included }),
      ...(minimum !== null && { minimum }),
    }),
  );

const hours = fc.integer({ min: 0, max: 50 });

/** The invoice of the month by the code that rates real ones. */
function rate(book: PriceBook, used: readonly number[]): Amount {
  const ledger = ledgerOf(
    used.map(amount => ({ steps: [[begin, end, amount]] })),
    { knownFrom: begin },
  );
  const costing = createCosting({ book, ledger });
  const stretch = { fromAt: beginAt, untilAt: Date.parse(end) };
  return sumLines([...costing.usageLines(stretch), ...costing.chargeLines(stretch, stretch.untilAt)]).amount;
}

test('savings add up to the difference of the two invoices that rating makes, to the last decimal, and likely ones are never more', () => {
  fc.assert(
    fc.property(
      fc.array(plan, { minLength: 1, maxLength: 3 }),
      fc.array(hours, { minLength: 4, maxLength: 4 }),
      fc.array(fc.record({ project_ref: fc.integer({ min: 1, max: 4 }), likely: hours, more: hours }), {
        maxLength: 6,
      }),
      (plans, used, spared) => {
        const book = bookOf(
          plans.map((one, index) => ({ ...one, name: `plan-${index}` })),
          {
            billingPeriod: { kind: 'hours', hours: 720, anchorAt: beginAt },
            exchangeRates: [{ currency: 'EUR', fromAt: 0, rate: '1.07' }],
          },
        );
        const changes = spared.map(({ project_ref, likely, more }) =>
          spare(project_ref, likely + more, likely),
        );
        const savings = priceSavings(caseOf(book, used), changes).filter(saving => saving !== undefined);
        for (const bound of ['likely', 'most'] as const) {
          const left = used.map((amount, index) => {
            const own = changes.filter(({ project_ref }) => project_ref === index + 1);
            return Math.max(0, amount - own.reduce((sum, { hours: each }) => sum + (each[bound] ?? 0), 0));
          });
          const difference = subtractAmounts(rate(book, used), rate(book, left));
          const total = savings.reduce<Amount>(
            (sum, saving) => addAmounts(sum, saving[bound] ?? noAmount),
            noAmount,
          );
          expect(total.numerator.toFixed()).toBe(difference.numerator.toFixed());
        }
        for (const { likely = noAmount, most } of savings) {
          expect(compareAmounts(likely, noAmount)).toBeGreaterThanOrEqual(0);
          expect(compareAmounts(most, likely)).toBeGreaterThanOrEqual(0);
        }
      },
    ),
  );
});

test('hundreds of findings on ten thousand projects take ten times the steps of a tenth of them', async () => {
  const included = { computeHours: '5000', per: 'account' } as const;
  const book = bookOf([planWith({ included, minimum: '100' })]);
  const price = (projects: number, findings: number) => {
    const many = caseOf(
      book,
      Array.from({ length: projects }, (_, index) => index % 90),
    );
    const changes = Array.from({ length: findings }, (_, index) => spare(index * 12 + 1, 5));
    return countSteps(
      () => import('../../../src/cost/finding/saving.ts'),
      fresh => expect(fresh.priceSavings(many, changes)).toHaveLength(findings),
    );
  };
  const steps = await price(1000, 80);
  expect(steps).toBeLessThan(2000);
  expect(await price(10_000, 800)).toBeLessThan(11 * steps);
});

test('no saving is larger than what its hours cost in these days, however the price has changed since', () => {
  fc.assert(
    fc.property(
      fc.record({
        before: decimal(2),
        now: decimal(2),
        included: decimal(60),
        changedOn: fc.integer({ min: 1, max: 29 }),
      }),
      fc.array(hours, { minLength: 4, maxLength: 4 }),
      fc.array(fc.record({ project_ref: fc.integer({ min: 1, max: 4 }), likely: hours, more: hours }), {
        maxLength: 6,
      }),
      ({ before, now, included, changedOn }, used, spared) => {
        const changedAt = beginAt + changedOn * dayMs;
        const [first, later] = [pricesOf({ price: before }), pricesOf({ price: now })].flat();
        const prices = [
          { ...first, fromAt: 0 },
          { ...later, fromAt: changedAt },
        ] as PricePlan['prices'];
        const book = bookOf([planWith({ prices, included: { computeHours: included, per: 'account' } })], {
          billingPeriod: { kind: 'hours', hours: 720, anchorAt: beginAt },
        });
        const ledger = ledgerOf(
          used.map(amount => ({ steps: [[begin, end, amount]] })),
          { knownFrom: begin },
        );
        const lines = [
          ...createCosting({ book, ledger }).usageLines({ fromAt: beginAt, untilAt: Date.parse(end) }),
        ];
        const { monthUse, ...priced } = { ...caseOf(book, used), at: Date.parse(end) - 1 };
        const changes = spared.map(({ project_ref, likely, more }) =>
          spare(project_ref, likely + more, likely),
        );
        const settled = settleSavings({ monthUse, priced: { ...priced, paid: sumPaid(lines) } }, changes);
        for (const [index, amount] of used.entries()) {
          const own = settled.filter((_, place) => changes[place]?.project_ref === index + 1);
          const cost = sumLines(lines.filter(({ project }) => project?.project_ref === index + 1)).amount;
          const [likely, most] = (['likely', 'most'] as const).map(bound => ({
            hours: own.reduce((sum, { hours: saved }) => sum + (saved[bound] ?? 0), 0),
            money: sumAmounts(own.map(({ money }) => money?.[bound] ?? noAmount)),
          }));
          if (likely === undefined || most === undefined) throw new Error('both are there');
          expect(most.hours).toBeLessThanOrEqual(amount + 1e-6);
          expect(likely.hours).toBeLessThanOrEqual(most.hours);
          expect(compareAmounts(most.money, cost)).toBeLessThanOrEqual(0);
          expect(compareAmounts(likely.money, most.money)).toBeLessThanOrEqual(0);
        }
      },
    ),
  );
});
