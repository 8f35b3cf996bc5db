import fc from 'fast-check';
import { expect, test } from 'vitest';
import { amountOf, noAmount, shareOut, showAmount, sumAmounts } from '../../src/cost/money/money.ts';
import { shareCharges } from '../../src/cost/rating/charge-share.ts';
import type { CostLine } from '../../src/cost/rating/cost-line.ts';
import { createCosting } from '../../src/cost/rating/costing.ts';
import { computeHourMs, type UsageProject } from '../../src/resources/usage/ledger.ts';
import { ledgerOf } from './memory-ledger.ts';
import { bookOf, planWith } from './price-book-sample.ts';

const month = { fromAt: Date.UTC(2026, 9, 1), untilAt: Date.UTC(2026, 10, 1) };
const nothing = { usedCuMs: 0, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: 0 };

test('a base fee of 10 is shared by cost, by hours or evenly, as it says', () => {
  const usage = [used(1, '3.00', 10), used(2, '1.00', 30), used(3, '0', 0)];
  const partsOf = (sharedBy?: CostLine['sharedBy']) =>
    show(shareCharges([fee('10', { ...(sharedBy && { sharedBy }) })], usage, () => projects(3)));
  expect(partsOf()).toEqual(['project-1 7.5000', 'project-2 2.5000']);
  expect(partsOf('cost')).toEqual(['project-1 7.5000', 'project-2 2.5000']);
  expect(partsOf('hours')).toEqual(['project-1 2.5000', 'project-2 7.5000']);
  expect(partsOf('evenly')).toEqual(['project-1 3.3333', 'project-2 3.3333', 'project-3 3.3333']);
});

test('where nothing cost anything hours decide, where nothing was used all get the same, and nobody nothing', () => {
  const free = [used(1, '0', 1), used(2, '0', 4)];
  expect(show(shareCharges([fee('10')], free, () => projects(2)))).toEqual([
    'project-1 2.0000',
    'project-2 8.0000',
  ]);
  expect(show(shareCharges([fee('10')], [], () => projects(2)))).toEqual([
    'project-1 5.0000',
    'project-2 5.0000',
  ]);
  expect(show(shareCharges([fee('10')], free, () => []))).toEqual(['nobody 10.0000']);
});

test('a credit is shared as what it is taken from, and what is a project’s already stays its own', () => {
  const usage = [used(1, '3.00', 10), used(2, '1.00', 30)];
  const own = { ...fee('-0.01'), project: project(2) };
  expect(show(shareCharges([fee('-2'), own], usage, () => projects(2)))).toEqual([
    'project-1 -1.5000',
    'project-2 -0.5000',
    'project-2 -0.0100',
  ]);
});

test('only the use of the charge’s account, plan and billing period counts', () => {
  const usage = [
    used(1, '1.00', 1),
    used(2, '1.00', 1),
    used(2, '8.00', 9, { plan: 'other' }),
    used(1, '8.00', 9, { fromAt: month.untilAt, untilAt: month.untilAt + 1 }),
    used(1, '8.00', 9, { account: 'elsewhere' }),
  ];
  expect(show(shareCharges([fee('10')], usage, () => projects(2)))).toEqual([
    'project-1 5.0000',
    'project-2 5.0000',
  ]);
});

test('costs in two currencies weigh what they are worth in the one that is shown', () => {
  const dollars = { currency: 'USD', amount: amountOf('2'), displayAmount: amountOf('1') };
  const usage = [used(1, '3.00', 1), { ...used(2, '0', 1), charge: dollars }];
  const shared = shareCharges([fee('8')], usage, () => projects(2));
  expect(show(shared)).toEqual(['project-1 6.0000', 'project-2 2.0000']);
});

test('a charge is for the projects of its account and plan that were there in its billing period', () => {
  const day = (date: string) => Date.parse(`2026-${date}`);
  const ledger = ledgerOf(
    [
      { project_name: 'shop', steps: [] },
      { project_name: 'to come', created_at: day('11-01'), steps: [] },
      { project_name: 'gone before', gone_at: day('10-01'), steps: [] },
      { project_name: 'short', created_at: day('10-05'), gone_at: day('10-06'), steps: [] },
      { project_name: 'free-1', steps: [] },
      { project_name: 'elsewhere', account: 'other', steps: [] },
    ],
    { knownFrom: '2026-09-15' },
  );
  const free = planWith({ name: 'free', match: { projects: ['free-*'] } });
  const old = planWith({ name: 'old', fromAt: day('09-20'), untilAt: day('10-04') });
  const costing = createCosting({ book: bookOf([free, old, planWith({ name: 'scale' })]), ledger });
  const names = (line: CostLine) => costing.membersOf(line).map(({ project_name }) => project_name);
  expect(names(fee('10'))).toEqual(['shop', 'short']);
  const { plan: _none, ...ofAccount } = fee('10');
  expect(names(ofAccount)).toEqual(['shop', 'short', 'free-1']);
  expect(names({ ...fee('10'), fromAt: day('08-01'), untilAt: day('09-01') })).toEqual([]);
  expect(names({ ...fee('10'), plan: 'old' })).toEqual(['shop']);
  expect(names({ ...fee('10'), account: 'third' })).toEqual([]);
});

const cents = fc.integer({ min: -1_000_000, max: 1_000_000 }).map(value => (value / 100).toFixed(2));
const figures = fc.array(fc.tuple(fc.nat({ max: 10 ** 6 }), fc.nat({ max: 10 ** 6 })), {
  minLength: 1,
  maxLength: 9,
});
const ways = fc.constantFrom('cost', 'hours', 'evenly', undefined);

test('parts add up to their charges to the last decimal, in both currencies, whatever the signs', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(cents, ways), { maxLength: 6 }), figures, (amounts, uses) => {
      const usage = uses.map(([cost, hours], index) => used(index + 1, (cost / 7).toFixed(9), hours / 3));
      const charges = amounts.map(([amount, sharedBy]) => {
        const line = fee(amount, { ...(sharedBy && { sharedBy }) });
        return {
          ...line,
          charge: { ...line.charge, displayAmount: amountOf((Number(amount) * 0.9).toFixed(12)) },
        };
      });
      const parts = shareCharges(charges, usage, () => projects(uses.length));
      for (const pick of ['amount', 'displayAmount'] as const) {
        const sum = (lines: readonly CostLine[]) =>
          sumAmounts(lines.map(({ charge }) => charge?.[pick] ?? noAmount));
        expect(sum(parts).numerator.toFixed()).toBe(sum(charges).numerator.toFixed());
      }
      expect(parts.every(({ project: owner }) => owner !== undefined)).toBe(true);
    }),
  );
});

test('amounts of either sign are shown so that they add up to their total, each less than a cent off', () => {
  const exact = fc.integer({ min: -(10 ** 9), max: 10 ** 9 }).map(value => (value / 10 ** 5).toFixed(5));
  fc.assert(
    fc.property(fc.array(exact, { minLength: 1, maxLength: 9 }), texts => {
      const amounts = texts.map(amountOf);
      const shown = shareOut(amounts, 2);
      const sum = shown.map(text => Math.round(Number(text) * 100)).reduce((a, b) => a + b, 0);
      const total = showAmount(sumAmounts(amounts), 2);
      expect(sum).toBe(Math.round(Number(total) * 100));
      for (const [index, text] of shown.entries()) {
        expect(Math.abs(Number(text) - Number(texts[index]))).toBeLessThan(0.0100001);
      }
    }),
  );
});

function projects(count: number): UsageProject[] {
  return Array.from({ length: count }, (_, index) => project(index + 1));
}

function project(project_ref: number): UsageProject {
  return { project_ref, account: 'acme', project_id: `project-${project_ref}` };
}

function used(project_ref: number, cost: string, hours: number, line: Partial<CostLine> = {}): CostLine {
  const billedCuMs = Math.round(hours * computeHourMs);
  return {
    ...{ kind: 'usage', account: 'acme', project: project(project_ref), plan: 'scale', ...month },
    ...{ ...nothing, usedCuMs: billedCuMs, billedCuMs },
    charge: { currency: 'EUR', amount: amountOf(cost), displayAmount: amountOf(cost) },
    ...line,
  };
}

/** A charge of the plan of `used`, for the month. */
function fee(amount: string, line: Partial<CostLine> = {}) {
  const charge = { currency: 'EUR', amount: amountOf(amount) };
  return { kind: 'minimum' as const, account: 'acme', ...month, ...nothing, plan: 'scale', ...line, charge };
}

function show(lines: readonly CostLine[]): string[] {
  return lines.map(
    ({ project: owner, charge }) =>
      `${owner?.project_id ?? 'nobody'} ${showAmount(charge?.amount ?? noAmount, 4)}`,
  );
}
