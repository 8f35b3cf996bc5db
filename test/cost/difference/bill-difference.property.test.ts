import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { Period } from '../../../src/cost/calendar/calendar.ts';
import { explainDifference } from '../../../src/cost/difference/bill-difference.ts';
import { lineValues } from '../../../src/cost/difference/line-value.ts';
import { amountOf, compareAmounts, subtractAmounts, timesRate } from '../../../src/cost/money/money.ts';
import { type CostKind, type CostLine, sumLines } from '../../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../../src/cost/rating/costing.ts';
import type { EndpointPast } from '../../../src/resources/endpoint-past.ts';
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
      (input, [before, chargesBefore, created], [after, chargesAfter, gone], pasts) => {
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
          before: [...linesOf(before), ...chargesBefore],
          after: [...linesOf(after), ...chargesAfter],
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
    { numRuns: 300 },
  );
});
