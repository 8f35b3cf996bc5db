import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import { type Period, periodsBetween } from '../../src/cost/calendar/calendar.ts';
import { type CostingInput, createCosting } from '../../src/cost/rating/costing.ts';
import { instant, originAt, spanMs } from './random-bill.ts';
import { wholeInput } from './random-plan.ts';
import { exactLine, wholeBill } from './whole-bill.ts';

function periodsOf({ book }: CostingInput, untilAt: number): Period[] {
  return periodsBetween(billingCalendar(book.billingPeriod), { fromAt: originAt, untilAt }).slice(-6);
}

/** Compares all lines of random bills, and gives the kinds that were among them. */
function compareBills(parameters: fc.Parameters<unknown>): ReadonlySet<string> {
  const seen = new Set<string>();
  fc.assert(
    fc.property(wholeInput, fc.oneof(instant, fc.constant(originAt + 2 * spanMs)), (input, asOf) => {
      const costing = createCosting(input);
      for (const period of periodsOf(input, Math.min(asOf, originAt + spanMs))) {
        for (const account of ['a', 'b']) {
          if (!input.ledger.projects.some(project => project.account === account)) continue;
          const lines = costing.billLines(account, period, asOf);
          for (const { kind, tier } of lines) seen.add(tier === undefined ? kind : `${kind} of tier ${tier}`);
          const expected = wholeBill(input, account, period, asOf);
          expect(lines.map(exactLine).sort()).toEqual(expected.sort());
        }
      }
    }),
    { numRuns: 100, ...parameters },
  );
  return seen;
}

test('every line of every bill is that of the rules in the documents, to the last decimal', () => {
  compareBills({});
});

test('there are lines of every kind among them', () => {
  const kinds = [
    'adjustment',
    'allowance',
    'base_fee',
    'counted',
    'credit',
    'line',
    'minimum',
    'rounding',
    'tax',
  ];
  const usage = ['usage', 'usage of tier 1', 'usage of tier 2', 'usage of tier 3'];
  expect([...compareBills({ seed: 1 })]).toEqual(expect.arrayContaining([...kinds, ...usage]));
});
