import { expect, test } from 'vitest';
import type { Cause } from '../../../src/cost/difference/cause.ts';
import { compareThings } from '../../../src/cost/difference/thing-change.ts';
import { amountNumber, amountOfUse } from '../../../src/cost/money/money.ts';
import type { CostLine } from '../../../src/cost/rating/cost-line.ts';
import type { UsageProject } from '../../../src/resources/usage/ledger.ts';

const october = { fromAt: Date.UTC(2026, 9, 1), untilAt: Date.UTC(2026, 10, 1) };
const november = { fromAt: october.untilAt, untilAt: Date.UTC(2026, 11, 1) };
const shop: UsageProject = { project_ref: 1, account: 'main', project_id: 'p-shop', created_at: 0 };
const fresh = { project_ref: 2, account: 'main', project_id: 'p-new', created_at: november.fromAt };

interface Stored {
  readonly project?: UsageProject;
  /** Billed, and free of charge. */
  readonly gb: number;
  readonly free?: number;
  readonly price?: string;
  readonly currency?: string;
  readonly rate?: string;
  readonly tier?: number;
}

function stored(fromAt: number, { project = shop, gb, free = 0, rate, tier, ...rest }: Stored): CostLine {
  const { price = '0.5', currency = 'USD' } = rest;
  return {
    ...{
      kind: 'metered',
      account: 'main',
      project,
      plan: 'launch',
      name: 'storage',
      fromAt,
      untilAt: fromAt + 1,
    },
    ...{ usedCuMs: 0, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: 0, ...(tier && { tier }) },
    quantity: { value: String(gb), unit: 'GB-month', ...(free > 0 && { included: String(free) }) },
    charge: {
      ...{ currency, price: { list: price, discounted: price } },
      amount: amountOfUse(gb, price, 1),
      displayAmount: amountOfUse(gb, (Number(price) * Number(rate ?? 1)).toFixed(6), 1),
    },
  };
}

function explain(before: readonly Stored[], after: readonly Stored[], rateAfter = '1') {
  const changes = compareThings({
    periods: { before: october, after: november },
    before: before.map(each => stored(october.fromAt, each)),
    after: after.map(each => stored(november.fromAt, { ...each, rate: rateAfter })),
    values: {
      rateOf: (_currency, at) => (at < november.fromAt ? '1' : rateAfter),
      firstPriceOf: () => '0.5',
    },
  });
  const say = ({ kind, project, name = '', amount, evidence }: Cause) => {
    const about = project?.project_id ?? name;
    return `${kind} ${about}: ${amountNumber(amount).toFixed(3)}${evidence === undefined ? '' : ` (${evidence})`}`;
  };
  return {
    causes: changes.flatMap(({ cause }) => [say(cause), ...cause.children.map(say)]),
    rates: changes.map(({ rate }) => Number(amountNumber(rate.amount).toFixed(3))),
  };
}

test('more of a thing is told by project, beside what the length of the period alone makes', () => {
  expect(explain([{ gb: 31 }], [{ gb: 40 }, { project: fresh, gb: 5 }])).toEqual({
    causes: [
      'charge storage (launch): 7.000 (45 GB-month instead of 31 GB-month)',
      'project p-shop: 5.000 (40 GB-month instead of 31 GB-month)',
      'new_project p-new: 2.500 (5 GB-month instead of 0 GB-month)',
      'days : -0.500',
    ],
    rates: [0],
  });
});

test('a new price counts for what there is now, and more of the thing at the old one', () => {
  expect(explain([{ gb: 31 }], [{ gb: 40, price: '0.6' }]).causes).toEqual([
    'charge storage (launch): 8.500 (40 GB-month instead of 31 GB-month)',
    'project p-shop: 5.000 (40 GB-month instead of 31 GB-month)',
    'price : 4.000 ($0.6 a GB-month instead of $0.5)',
    'days : -0.500',
  ]);
});

test('what is included and higher tiers are a cause of their own', () => {
  const tiers = [
    { gb: 20, free: 10 },
    { gb: 30, price: '0.2', tier: 2 },
  ];
  expect(explain([{ gb: 20, free: 10 }], tiers).causes).toEqual([
    'charge storage (launch): 6.000 (60 GB-month instead of 30 GB-month)',
    'project p-shop: 15.484 (60 GB-month instead of 30 GB-month)',
    'included_usage : -9.000',
    'days : -0.484',
  ]);
});

test('an exchange rate is none of the thing, but one for all', () => {
  const { causes, rates } = explain([{ gb: 31 }], [{ gb: 30, currency: 'USD' }], '1.2');
  expect([causes, rates]).toEqual([
    ['charge storage (launch): -0.500 (30 GB-month instead of 31 GB-month)', 'days : -0.500'],
    [3],
  ]);
});

test('of a project that only the meter tells of nobody says that it is new', () => {
  const other = { ...fresh, gone_at: fresh.created_at };
  expect(explain([{ gb: 31 }], [{ gb: 30 }, { project: other, gb: 5 }]).causes).toContain(
    'project p-new: 2.500 (5 GB-month instead of 0 GB-month)',
  );
});
