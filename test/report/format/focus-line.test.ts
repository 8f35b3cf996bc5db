import { expect, test } from 'vitest';
import { amountOf } from '../../../src/cost/money/money.ts';
import type { CostLine } from '../../../src/cost/rating/cost-line.ts';
import { renderCsv } from '../../../src/report/format/csv.ts';
import { focusColumns } from '../../../src/report/format/focus-column.ts';
import { describeLine } from '../../../src/report/format/focus-line.ts';
import { tabulate } from '../../../src/report/format/report.ts';
import { bookOf, planWith } from '../../cost/price-book-sample.ts';
import { readCsv } from '../../support/csv-reader.ts';
import { findFocusFaults } from '../../support/focus-validator.ts';

const month = { fromAt: Date.UTC(2026, 9, 1), untilAt: Date.UTC(2026, 10, 1) };
const nothing = { usedCuMs: 0, includedCuMs: 0, billedCuMs: 0, unpricedCuMs: 0 };
const book = bookOf([planWith({ name: 'scale' })]);

const lines: readonly CostLine[] = [
  charge('base_fee', '25', { plan: 'scale' }),
  charge('minimum', '13.54', { plan: 'scale' }),
  charge('counted', '4.50', {
    plan: 'scale',
    name: 'extra projects',
    quantity: { value: '3', unit: 'projects' },
    charge: { ...money('4.50'), price: { list: '1.5', discounted: '1.5' } },
  }),
  charge('line', '14.00', {
    name: 'storage',
    quantity: { value: '40', unit: 'GB-month' },
    charge: { ...money('14.00'), price: { list: '0.35', discounted: '0.35' } },
  }),
  charge('line', '12.50', { name: 'support' }),
  charge('line', '-1.00', { name: 'goodwill' }),
  charge('allowance', '-50', { plan: 'scale', name: 'included compute' }),
  charge('credit', '-20', { name: 'startup credit' }),
  charge('adjustment', '-7.30', { name: 'support refund' }),
  charge('tax', '5.111', { name: 'VAT' }),
  charge('rounding', '0.001', {}),
];

test('charges of every kind keep the rules of FOCUS', () => {
  const read = write(lines);
  expect(findFocusFaults(read.header, read.rows)).toEqual([]);
  const shown = read.rows.map(row =>
    [
      row.ChargeCategory,
      row.ChargeFrequency,
      row.BilledCost,
      row.PricingQuantity,
      row.PricingUnit,
      row.SkuPriceId,
    ]
      .filter(text => text !== '')
      .join(' '),
  );
  expect(shown).toEqual([
    'Purchase Recurring 25.000000000000 1 Units base_fee/scale',
    'Purchase Recurring 13.540000000000 1 Units minimum/scale',
    'Usage Usage-Based 4.5000000000000 3 Projects counted/extra projects/scale',
    'Usage Usage-Based 14.00000000000000 40 GB-Months line/storage',
    'Purchase Recurring 12.500000000000 1 Units line/support',
    'Adjustment Recurring -1.000000000000',
    'Credit Recurring -50.000000000000',
    'Credit Recurring -20.000000000000',
    'Adjustment One-Time -7.300000000000',
    'Tax Recurring 5.111000000000',
    'Adjustment Recurring 0.001000000000',
  ]);
});

test('the validator finds a tax with a price, a credit that costs something else, and a key without x_', () => {
  const {
    header,
    rows: [tax = {}],
  } = write([charge('tax', '5', { name: 'VAT' })]);
  const faultsOf = (change: Readonly<Record<string, string>>) =>
    findFocusFaults(header, [{ ...tax, ...change }]);
  expect(faultsOf({})).toEqual([]);
  expect(faultsOf({ ListUnitPrice: '5' })).toEqual(['row 1: a tax has a price or a SKU']);
  expect(faultsOf({ ChargeCategory: 'Credit', ListCost: '4' })).toContain(
    'row 1: the cost of a credit is not BilledCost',
  );
  expect(faultsOf({ BillingAccountType: '' })).toEqual(['row 1: BillingAccountType is null']);
  expect(faultsOf({ ServiceSubcategory: 'Postgres' })).toEqual(['row 1: ServiceSubcategory is Postgres']);
  expect(faultsOf({ SkuId: 'a', SkuMeter: 'b', SkuPriceId: 'a/b', SkuPriceDetails: '{"Tier":2}' })).toContain(
    'row 1: SkuPriceDetails has a key of its own without x_',
  );
});

function write(charges: readonly CostLine[]) {
  const rows = charges.map(line => ({ ...describeLine(line, book), tags: undefined, ledgers: '' }));
  return readCsv(renderCsv(tabulate(focusColumns, rows)));
}

function charge(kind: CostLine['kind'], amount: string, line: Partial<CostLine>): CostLine {
  return { kind, account: 'main', ...month, ...nothing, charge: money(amount), ...line };
}

function money(amount: string): NonNullable<CostLine['charge']> {
  return { currency: 'USD', amount: amountOf(amount) };
}
