import fc from 'fast-check';
import { expect, test } from 'vitest';
import { billingCalendar } from '../../src/cost/calendar/billing-calendar.ts';
import type { Period } from '../../src/cost/calendar/calendar.ts';
import { type Amount, addAmounts, compareAmounts, noAmount } from '../../src/cost/money/money.ts';
import { type CostLine, type CostSum, sumLines, sumLinesBy } from '../../src/cost/rating/cost-line.ts';
import { type CostingInput, createCosting } from '../../src/cost/rating/costing.ts';
import { shareByGroup } from '../../src/cost/rating/group-share.ts';
import { computeHourMs } from '../../src/resources/usage/ledger.ts';
import { costingInput } from '../oracle/program-bill.ts';
import { randomCase } from '../oracle/random-case.ts';
import { runs } from '../support/seed.ts';
import { Fraction } from './fraction.ts';
import { bill, instant, originAt, spanMs } from './random-bill.ts';

const whole: Period = { fromAt: originAt, untilAt: originAt + spanMs };

function costOf(input: CostingInput, stretch: Period): CostLine[] {
  const costing = createCosting(input);
  return [...costing.usageLines(stretch), ...costing.chargeLines(stretch, whole.untilAt)];
}

const anyBill = fc.oneof(bill, randomCase.map(costingInput));

function exact({ numerator, divisor = 1n }: Amount): string {
  return `${Fraction.of(numerator.toFixed()).over(new Fraction(divisor, 1n))}`;
}

/** To the last decimal. */
function exactly({ amount, unconverted, ...use }: CostSum) {
  const kept = [...unconverted].map(([currency, sum]) => `${currency} ${exact(sum)}`);
  return { ...use, amount: exact(amount), kept: kept.sort() };
}

function addSums(sums: Iterable<CostSum>): CostSum {
  const total = {
    usedCuMs: 0,
    includedCuMs: 0,
    billedCuMs: 0,
    unpricedCuMs: 0,
    unknownCuMs: 0,
    amount: noAmount,
  };
  const unconverted = new Map<string, Amount>();
  for (const sum of sums) {
    total.usedCuMs += sum.usedCuMs;
    total.includedCuMs += sum.includedCuMs;
    total.billedCuMs += sum.billedCuMs;
    total.unpricedCuMs += sum.unpricedCuMs;
    total.unknownCuMs += sum.unknownCuMs;
    total.amount = addAmounts(total.amount, sum.amount);
    for (const [currency, kept] of sum.unconverted) {
      unconverted.set(currency, addAmounts(unconverted.get(currency) ?? noAmount, kept));
    }
  }
  return { ...total, unconverted };
}

test('the sums over any grouping add up to the total exactly', () => {
  const { groupOfLine } = shareByGroup([
    { name: 'team', groups: [{ name: 'shop', match: { projects: ['p1', 'p2'] } }] },
  ]);
  const keys: ((line: CostLine) => unknown)[] = [
    line => groupOfLine('team', line),
    ({ account }) => account,
    ({ project }) => project?.region_id,
    ({ project }) => project,
    ({ plan }) => plan,
    ({ fromAt }) => fromAt,
  ];
  fc.assert(
    fc.property(anyBill, snapshot => {
      const lines = costOf(snapshot, whole);
      const total = exactly(sumLines(lines));
      for (const keyOf of keys) expect(exactly(addSums(sumLinesBy(lines, keyOf).values()))).toEqual(total);
    }),
    { numRuns: runs(40) },
  );
});

test('the parts of a stretch add up to the whole, wherever it is cut', () => {
  fc.assert(
    fc.property(anyBill, fc.uniqueArray(instant, { minLength: 3, maxLength: 8 }), (snapshot, instants) => {
      const cuts = instants.toSorted((a, b) => a - b);
      const [fromAt = 0, ...ends] = cuts;
      const parts = ends.map((untilAt, index) =>
        sumLines(costOf(snapshot, { fromAt: cuts[index] ?? fromAt, untilAt })),
      );
      const together = sumLines(costOf(snapshot, { fromAt, untilAt: cuts.at(-1) ?? fromAt }));
      expect(exactly(addSums(parts))).toEqual(exactly(together));
    }),
    { numRuns: runs(40) },
  );
});

test('all that was used is in one of included, billed and unpriced, and no line of usage is negative', () => {
  fc.assert(
    fc.property(anyBill, instant, instant, (snapshot, a, b) => {
      const stretch = { fromAt: Math.min(a, b), untilAt: Math.max(a, b) };
      const lines = costOf(snapshot, stretch);
      for (const { kind, usedCuMs, includedCuMs, billedCuMs, unpricedCuMs, charge } of lines) {
        expect(includedCuMs + billedCuMs + unpricedCuMs).toBe(usedCuMs);
        expect(Math.min(includedCuMs, billedCuMs, unpricedCuMs)).toBeGreaterThanOrEqual(0);
        expect(charge === undefined).toBe(unpricedCuMs > 0);
        if (kind === 'usage')
          expect(compareAmounts(charge?.amount ?? noAmount, noAmount)).toBeGreaterThanOrEqual(0);
      }
      const { ledger } = snapshot;
      const used = ledger.projects.map(
        ({ project_ref }) =>
          ledger.usedUntil(project_ref, stretch.untilAt) - ledger.usedUntil(project_ref, stretch.fromAt),
      );
      expect(sumLines(lines).usedCuMs).toBe(used.reduce((sum, use) => sum + use, 0));
    }),
    { numRuns: runs(40) },
  );
});

test('at the end of every hour of a billing period an account has used up its included hours or paid nothing', () => {
  fc.assert(
    fc.property(bill, instant, ({ book, ledger }, at) => {
      const plan = {
        name: 'pool',
        match: {},
        currency: 'EUR',
        prices: [{ fromAt: 0, perComputeHour: '1', discountPercent: '0' }],
        included: { computeHours: '20', per: 'account' as const },
      };
      const { fromAt } = billingCalendar(book.billingPeriod)(at);
      const untilAt = fromAt + Math.floor((at - fromAt) / computeHourMs) * computeHourMs;
      const { usageLines } = createCosting({ book: { ...book, plans: [plan] }, ledger });
      const byAccount = sumLinesBy(usageLines({ fromAt, untilAt }), ({ account }) => account);
      for (const { usedCuMs, includedCuMs } of byAccount.values()) {
        expect(includedCuMs).toBe(Math.min(usedCuMs, 20 * computeHourMs));
      }
    }),
  );
});
