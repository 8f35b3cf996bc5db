import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Period } from '../../../src/cost/calendar/calendar.ts';
import { explainDifference } from '../../../src/cost/difference/bill-difference.ts';
import { lineValues } from '../../../src/cost/difference/valued-use.ts';
import {
  amountOf,
  amountOfUse,
  compareAmounts,
  showAmount,
  subtractAmounts,
  timesRate,
} from '../../../src/cost/money/money.ts';
import { type CostKind, type CostLine, sumLines } from '../../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../../src/cost/rating/costing.ts';
import type { EndpointPast } from '../../../src/resources/endpoint-history.ts';
import type { UsageProject } from '../../../src/resources/usage/ledger.ts';
import { runs } from '../../support/seed.ts';
import { bill, instant, originAt, spanMs } from '../random-bill.ts';
import { addsUp } from './adding-up.ts';

const chargeKinds: readonly CostKind[] = [
  'base_fee',
  'minimum',
  'counted',
  'line',
  'allowance',
  'credit',
  'adjustment',
  'tax',
  'rounding',
];

/** Charges of every kind, as price books may come to have them: taken off or added, with and without an exchange rate. */
const charges: fc.Arbitrary<CostLine[]> = fc.array(
  fc
    .record({
      kind: fc.constantFrom(...chargeKinds),
      account: fc.constantFrom('a', 'b'),
      name: fc.option(fc.constantFrom('storage', 'credit'), { nil: undefined }),
      currency: fc.constantFrom('USD', 'EUR', 'JPY'),
      cents: fc.integer({ min: -5000, max: 5000 }),
      rate: fc.option(fc.constantFrom('1.1', '0.93', '0.0067'), { nil: undefined }),
    })
    .map(({ name, currency, cents, rate, ...line }) => {
      const amount = amountOf((cents / 100).toFixed(2));
      return {
        ...{ ...line, fromAt: 0, untilAt: 1, usedCuMs: 0, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: 0 },
        ...(name !== undefined && { name }),
        charge: { currency, amount, ...(rate && { displayAmount: timesRate(amount, rate) }) },
      };
    }),
  { maxLength: 8 },
);

/** What projects were metered, of two things under two plans, in any currency, with and without what is included and tiers. */
const things: fc.Arbitrary<((projects: readonly UsageProject[]) => CostLine)[]> = fc.array(
  fc
    .record({
      project: fc.nat({ max: 5 }),
      name: fc.constantFrom('storage', 'transfer'),
      plan: fc.constantFrom('plan-0', 'plan-1'),
      currency: fc.constantFrom('USD', 'EUR'),
      rate: fc.option(fc.constantFrom('1.1', '0.93'), { nil: undefined }),
      tier: fc.option(fc.constantFrom(1, 2), { nil: undefined }),
      price: fc.constantFrom('0.35', '0.1', '0'),
      parts: fc.nat({ max: 1e9 }),
      included: fc.nat({ max: 5 }),
      fromAt: instant,
    })
    .map(({ project, price, parts, included, currency, rate, tier, ...line }) => projects => {
      const amount = amountOfUse(parts, price, 744_000);
      const [owner] = projects.slice(project % Math.max(1, projects.length));
      return {
        ...{ ...line, kind: 'metered', account: 'a', untilAt: line.fromAt + 1, ...(tier && { tier }) },
        ...(owner && { project: owner, account: owner.account }),
        ...{ usedCuMs: 0, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: 0 },
        quantity: {
          value: showAmount(amountOfUse(parts, '1', 744_000), 12),
          unit: 'GB-month',
          ...(included > 0 && { included: String(included) }),
        },
        charge: {
          ...{ currency, amount, price: { list: price, discounted: price } },
          ...(rate && { displayAmount: timesRate(amount, rate) }),
        },
      };
    }),
  { maxLength: 12 },
);

const stretch: fc.Arbitrary<Period> = fc
  .tuple(instant, instant)
  .filter(([one, other]) => one !== other)
  .map(([one, other]) => ({ fromAt: Math.min(one, other), untilAt: Math.max(one, other) }));

/** What the endpoints of a project did, which need not fit what it used. */
const endpoints: fc.Arbitrary<EndpointPast[] | undefined> = fc.option(
  fc
    .array(
      fc.record({
        cuts: fc.uniqueArray(instant, { maxLength: 40 }),
        sizes: fc.array(fc.constantFrom([1, 1] as const, [0.25, 0.25] as const, [1, 4] as const), {
          maxLength: 3,
        }),
        isUsed: fc.boolean(),
        born: instant,
        gone: fc.option(instant),
      }),
      { maxLength: 3 },
    )
    .map(drawn =>
      drawn.map(({ cuts, sizes, isUsed, born, gone }, index) => {
        const sorted = cuts.toSorted((a, b) => a - b).filter(at => at > born);
        const pairs = sorted.flatMap((fromAt, at) =>
          at % 2 === 0 ? [[fromAt, sorted[at + 1]] as const] : [],
        );
        return {
          past: {
            ...{
              account: 'a',
              project_id: 'p',
              endpoint_id: `ep-${index}`,
              fromAt: born,
              untilAt: originAt + spanMs,
            },
            awake: pairs.flatMap(([fromAt, untilAt]) =>
              untilAt === undefined
                ? []
                : [{ fromAt, untilAt, ...(isUsed && { lastActiveAt: (fromAt + untilAt) / 2 }) }],
            ),
            checks: [],
          },
          sizes: sizes.map(([minCu, maxCu], at) => ({ fromAt: originAt + (at * spanMs) / 3, minCu, maxCu })),
          ...(gone !== null && { goneAt: gone }),
        };
      }),
    ),
  { nil: undefined },
);

test('the causes of any difference add up to it to the last decimal, and so do the parts of each', () => {
  fc.assert(
    fc.property(
      bill,
      fc.tuple(stretch, charges, instant),
      fc.tuple(stretch, charges, instant),
      fc.array(endpoints, { maxLength: 6 }),
      fc.tuple(things, things),
      (input, [before, chargesBefore, created], [after, chargesAfter, gone], pasts, metered) => {
        const { book, ledger } = input;
        const projects = ledger.projects.map((project, index) => ({
          ...project,
          ...(index % 3 === 1 && { created_at: created }),
          ...(index % 3 === 2 && { gone_at: gone }),
        }));
        const costing = createCosting({ ...input, ledger: { ...ledger, projects } });
        const linesOf = (period: Period) => [
          ...costing.usageLines(period),
          ...costing.chargeLines(period, originAt + spanMs),
        ];
        const bills = {
          before: [...linesOf(before), ...chargesBefore, ...metered[0].map(line => line(projects))],
          after: [...linesOf(after), ...chargesAfter, ...metered[1].map(line => line(projects))],
        };
        const difference = explainDifference({
          ...bills,
          periods: { before, after },
          projects,
          values: lineValues(book, costing),
          endpointsOf: ({ project_ref }) => pasts[project_ref],
        });
        const [sumBefore, sumAfter] = [sumLines(bills.before), sumLines(bills.after)];
        const whole = subtractAmounts(sumAfter.amount, sumBefore.amount);
        expect(compareAmounts(difference.difference, whole)).toBe(0);
        expect(addsUp(whole, difference.causes)).toBe(true);
        const use = difference.causes.reduce((sum, { cuMs = 0 }) => sum + cuMs, 0);
        expect(use).toBe(sumAfter.usedCuMs - sumBefore.usedCuMs);
      },
    ),
    { numRuns: runs(80) },
  );
});
