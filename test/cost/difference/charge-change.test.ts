import { expect, test } from 'vitest';
import { compareCharges } from '../../../src/cost/difference/charge-change.ts';
import { amountOf } from '../../../src/cost/money/money.ts';
import type { CostLine } from '../../../src/cost/rating/cost-line.ts';
import { hourMs } from '../../../src/resources/duration.ts';

function chargeOf(value: string): CostLine {
  const amount = amountOf(value);
  return {
    kind: 'counted',
    account: 'main',
    plan: 'scale',
    name: 'extra projects',
    quantity: { value, unit: 'projects' },
    fromAt: 0,
    untilAt: hourMs,
    usedCuMs: 0,
    includedCuMs: 0,
    billedCuMs: 0,
    unpricedCuMs: 0,
    charge: { currency: 'USD', amount, displayAmount: amount },
  };
}

test('quantities are said to two decimals, and not where they are the same so far', () => {
  const evidence = (before: string, after: string) =>
    compareCharges([chargeOf(before)], [chargeOf(after)]).map(({ cause }) => cause.evidence);
  expect(evidence('14', '15.983527479092')).toEqual(['15.98 projects instead of 14 projects']);
  expect(evidence('7.763419205496', '7.7634192')).toEqual([undefined]);
});
