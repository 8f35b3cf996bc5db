import { expect, test } from 'vitest';
import { describeAwake } from '../../../src/cost/difference/awake-cause.ts';
import { compareCharges } from '../../../src/cost/difference/charge-change.ts';
import { amountOf } from '../../../src/cost/money/money.ts';
import type { CostLine } from '../../../src/cost/rating/cost-line.ts';
import { hourMs } from '../../../src/resources/duration.ts';

const periods = {
  before: { fromAt: 0, untilAt: 100 * hourMs },
  after: { fromAt: 100 * hourMs, untilAt: 200 * hourMs },
};

function evidenceOf(
  before: readonly [wakes: number, hours: number],
  after: readonly [wakes: number, hours: number],
) {
  const measure = ([wakes, hours]: readonly [number, number]) => ({ wakes, awakeMs: hours * hourMs });
  const awakeMs = (after[1] - before[1]) * hourMs;
  const change = {
    reason: 'clients',
    awakeMs,
    before: measure(before),
    after: measure(after),
    spans: [],
  } as const;
  return describeAwake(change, awakeMs, periods).evidence;
}

test('as many wakes as before are said once', () => {
  expect(evidenceOf([20, 20], [20, 60])).toBe(
    'woken 20 times, as before, for 3 hours instead of 1 hour on average',
  );
  expect(evidenceOf([20, 60], [21, 63])).toBe('woken 21 times instead of 20, for 3 hours on average');
});

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
    compareCharges([chargeOf(before)], [chargeOf(after)]).causes.map(cause => cause.evidence);
  expect(evidence('14', '15.983527479092')).toEqual(['15.98 projects instead of 14 projects']);
  expect(evidence('7.763419205496', '7.7634192')).toEqual([undefined]);
});
