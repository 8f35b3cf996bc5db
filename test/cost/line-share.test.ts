import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amountOf,
  amountOfUse,
  noAmount,
  showAmount,
  splitAmount,
  sumAmounts,
  timesRate,
} from '../../src/cost/money/money.ts';
import { shareWhole } from '../../src/cost/money/whole-share.ts';
import { shareLines } from '../../src/cost/rating/charge-share.ts';
import type { CostLine } from '../../src/cost/rating/cost-line.ts';

const weights = fc
  .array(fc.nat({ max: 2 ** 45 }), { minLength: 1, maxLength: 8 })
  .filter(parts => parts.some(part => part > 0));

test('a line of 10 hours for 1.60, shared 3 to 1, is one of 7.5 hours for 1.20 and one of 2.5 for 0.40', () => {
  const hour = 3_600_000;
  const line: CostLine = {
    kind: 'usage',
    account: 'acme',
    plan: 'scale',
    fromAt: 0,
    untilAt: 24 * hour,
    usedCuMs: 12 * hour,
    includedCuMs: 2 * hour,
    billedCuMs: 10 * hour,
    unpricedCuMs: 0,
    charge: { currency: 'USD', amount: amountOf('1.60'), displayAmount: amountOf('1.44') },
  };
  const [parts = []] = shareLines([line], [3, 1]);
  const shown = parts.map(({ usedCuMs, includedCuMs, billedCuMs, charge }) => [
    ...[usedCuMs / hour, includedCuMs / hour, billedCuMs / hour],
    showAmount(charge?.amount ?? noAmount, 2),
    showAmount(charge?.displayAmount ?? noAmount, 2),
  ]);
  expect(shown).toEqual([
    [9, 1.5, 7.5, '1.20', '1.08'],
    [3, 0.5, 2.5, '0.40', '0.36'],
  ]);
});

test('what is shared out adds up to the whole, to the last CU-millisecond and decimal', () => {
  fc.assert(
    fc.property(weights, fc.nat({ max: 2 ** 50 }), (parts, billedCuMs) => {
      const amount = amountOfUse(billedCuMs, '0.123456789012345678');
      const displayAmount = timesRate(amount, '0.912345');
      const line: CostLine = {
        ...{ kind: 'usage', account: 'acme', fromAt: 0, untilAt: 1 },
        ...{ usedCuMs: billedCuMs, includedCuMs: 0, billedCuMs, unpricedCuMs: 0 },
        charge: { currency: 'USD', amount, displayAmount },
      };
      const [shared = []] = shareLines([line], parts);
      expect(shared.reduce((sum, each) => sum + each.usedCuMs, 0)).toBe(billedCuMs);
      const sum = sumAmounts(shared.map(({ charge }) => charge?.displayAmount ?? noAmount));
      expect(sum.numerator.toFixed()).toBe(displayAmount.numerator.toFixed());
    }),
  );
});

test('an amount split by parts of which none is more than 0 is the first part alone', () => {
  expect(splitAmount(amountOf('3'), [noAmount, noAmount]).map(part => showAmount(part, 0))).toEqual([
    '3',
    '0',
  ]);
  expect(shareWhole(10, [1, 1, 1])).toEqual([4, 3, 3]);
});

test('lines that are shared out come to the shares of their whole usage, however many they are', () => {
  const figure = fc.nat({ max: 1000 });
  fc.assert(
    fc.property(weights, fc.array(fc.tuple(figure, figure, figure), { minLength: 1 }), (parts, figures) => {
      const lines = figures.map(([includedCuMs, billedCuMs, unpricedCuMs]): CostLine => {
        const usedCuMs = includedCuMs + billedCuMs + unpricedCuMs;
        const line = { kind: 'usage', account: 'acme', fromAt: 0, untilAt: 1 } as const;
        return { ...line, usedCuMs, includedCuMs, billedCuMs, unpricedCuMs };
      });
      const shared = shareLines(lines, parts);
      const used = parts.map((_, index) =>
        shared.reduce((sum, each) => sum + (each[index]?.usedCuMs ?? 0), 0),
      );
      const whole = lines.reduce((sum, { usedCuMs }) => sum + usedCuMs, 0);
      expect(used).toEqual(shareWhole(whole, parts));
      for (const [index, line] of lines.entries()) {
        const billed = (shared[index] ?? []).map(({ billedCuMs }) => billedCuMs);
        expect(billed.every(each => each >= 0)).toBe(true);
        expect(billed.reduce((sum, each) => sum + each, 0)).toBe(line.billedCuMs);
      }
    }),
  );
});
