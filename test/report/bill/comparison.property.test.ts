import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  amountOf,
  amountOfUse,
  compareAmounts,
  partOfAmount,
  showAmount,
  subtractAmounts,
  sumAmounts,
} from '../../../src/cost/money/money.ts';
import type { BillItem } from '../../../src/report/bill/comparison/bill-item.ts';
import { sizeOf } from '../../../src/report/bill/comparison/cause.ts';
import {
  type ComparisonCase,
  compareBills,
  sumParts,
} from '../../../src/report/bill/comparison/comparison.ts';
import type { InvoiceLine } from '../../../src/report/bill/comparison/invoice-line.ts';
import { showRows } from '../../../src/report/bill/invoice/shown-row.ts';
import { invoiceKinds } from '../../../src/resources/invoice-rule.ts';

const decimal = (places: number) =>
  fc
    .integer({ min: -100_000, max: 100_000 })
    .map(units => showAmount(partOfAmount(amountOf(String(units)), 1, 10 ** places), places));
const price = fc.constantFrom('0.16', '0.15', '0.160', '0.1', '0.35');
const projects = ['shop', 'dw', 'elsewhere'];

const line: fc.Arbitrary<InvoiceLine> = fc.record(
  {
    line: fc.nat(),
    description: fc.constantFrom(
      'Compute',
      'Included hours',
      'Storage',
      'Minimum',
      'VAT',
      'Total',
      'Credit',
      'Rounding',
      'Object storage',
      'Thing',
    ),
    amount: decimal(2),
    quantity: decimal(3),
    unitPrice: price,
    project: fc.constantFrom(...projects),
  },
  { requiredKeys: ['line', 'description', 'amount'] },
);

const item: fc.Arbitrary<BillItem> = fc
  .record(
    {
      kind: fc.constantFrom(...invoiceKinds.filter(kind => kind !== 'left_out' && kind !== 'not_metered')),
      project: fc
        .constantFrom('shop', 'dw')
        .map(name => ({ project_ref: name.length, account: 'main', project_id: name })),
      name: fc.constantFrom('storage', 'VAT'),
      price,
      cuMs: fc.nat(1e10),
      hasQuantity: fc.boolean(),
      part: fc.integer({ min: 1, max: 2_678_400_000 }),
    },
    { requiredKeys: ['kind', 'cuMs', 'hasQuantity', 'part'] },
  )
  .map(({ cuMs, hasQuantity, part, ...rest }) => ({
    ...rest,
    ...(hasQuantity && { quantity: amountOfUse(cuMs) }),
    // Of a part of a billing period, which has no last decimal.
    amount: partOfAmount(amountOfUse(cuMs, rest.price ?? '1'), part, 2_678_400_000),
  }));

const given: fc.Arbitrary<ComparisonCase> = fc
  .record({
    lines: fc.array(line, { maxLength: 12 }),
    items: fc.array(item, { maxLength: 12 }),
    hidden: fc.option(fc.nat(1e9), { nil: undefined }),
  })
  .map(({ hidden, ...sides }) => ({
    ...sides,
    rules: [{ match: ['storage'], as: 'line' as const, name: 'storage' }],
    decimals: 2,
    isProject: text => text !== 'elsewhere',
    hiddenAtMost: () => (hidden === undefined ? undefined : amountOfUse(hidden)),
  }));

test('the parts of all causes add up to the difference, exactly and as they are shown', () => {
  fc.assert(
    fc.property(given, sides => {
      const { rows, leftOut } = compareBills(sides);
      const counted = sides.lines.filter(each => !leftOut.includes(each));
      const invoiced = sumAmounts(counted.map(({ amount }) => amountOf(amount)));
      const difference = subtractAmounts(invoiced, sumAmounts(sides.items.map(({ amount }) => amount)));
      expect(compareAmounts(sumAmounts([...sumParts(rows).values()]), difference)).toBe(0);

      const shown = showRows(rows, 2);
      const sum = (texts: readonly string[]) => showAmount(sumAmounts(texts.map(text => amountOf(text))), 2);
      expect(sum([...shown.totals.parts.values()])).toBe(showAmount(difference, 2));
      expect(shown.totals.invoiced).toBe(showAmount(invoiced, 2));
      for (const row of [...shown.rows, shown.totals]) {
        const beyondMeter = row.parts.get('not_metered') ?? '0';
        expect(sum([row.own, row.difference, beyondMeter])).toBe(row.invoiced);
        expect(sum([...row.parts.values()])).toBe(sum([row.difference, beyondMeter]));
      }
    }),
    { numRuns: 300 },
  );
});

test('what was worked out is shown as the bill has it, however the difference is explained', () => {
  const compute = amountOfUse(43_075_860_033, '0.16');
  const items = [
    { kind: 'compute', price: '0.16', quantity: amountOfUse(43_075_860_033), amount: compute },
    { kind: 'rounding', amount: subtractAmounts(amountOf('1914.48'), compute) },
    { kind: 'tax', amount: amountOf('363.75') },
  ] as const;
  const lines = [
    { line: 2, description: 'Compute', quantity: '10523.54', amount: '1683.77' },
    { line: 3, description: 'VAT', amount: '319.92' },
  ];
  const rest = { rules: [], decimals: 2, isProject: () => true, hiddenAtMost: () => amountOf('0') };
  const { rows, totals } = showRows(compareBills({ lines, items, ...rest }).rows, 2);
  expect([...rows, totals].map(row => [row.title, row.own, row.difference])).toEqual([
    ['Compute', '1914.48', '-230.71'],
    ['VAT', '363.75', '-43.83'],
    ['total', '2278.23', '-274.54'],
  ]);
});

test('no more hours are a gap than gaps can hide, in however many lines they are', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(500), { minLength: 1, maxLength: 4 }), fc.nat(300), (more, hidden) => {
      const prices = ['0.1', '0.2', '0.3', '0.4'];
      const lines = more.map((hours, index) => ({
        ...{
          line: index,
          description: 'Compute',
          quantity: `${hours + 10}.0000`,
          unitPrice: prices[index] ?? '',
        },
        amount: showAmount(amountOfUse((hours + 10) * 3_600_000, prices[index]), 2),
      }));
      const items = more.map((_, index) => ({
        ...{ kind: 'compute' as const, price: prices[index] ?? '', quantity: amountOf('10') },
        amount: amountOfUse(36_000_000, prices[index]),
      }));
      const { rows } = compareBills({
        ...{ lines, items, rules: [], decimals: 2, isProject: () => true },
        hiddenAtMost: () => amountOf(String(hidden)),
      });
      const gaps = rows.map(({ parts, items: [own] }) => {
        const gap = parts.get('gap') ?? amountOf('0');
        return Number(showAmount(gap, 2)) / Number(own?.price);
      });
      const all = more.reduce((sum, hours) => sum + hours, 0);
      expect(gaps.reduce((sum, hours) => sum + hours, 0)).toBeCloseTo(Math.min(hidden, all), 1);
    }),
  );
});

test('hours a few seconds apart are rounding, and hours that nothing hid are quantity', () => {
  const compare = (quantity: string) => {
    const amount = showAmount(amountOfUse(Math.round(Number(quantity) * 3_600_000), '0.16'), 2);
    const { rows } = compareBills({
      lines: [{ line: 2, description: 'Compute', quantity, unitPrice: '0.16', amount }],
      items: [
        { kind: 'compute', price: '0.16', quantity: amountOf('100.003'), amount: amountOf('16.00048') },
      ],
      ...{ rules: [], decimals: 2, isProject: () => true, hiddenAtMost: () => amountOf('0') },
    });
    return [...sumParts(rows)].map(([cause, amount]) => `${cause} ${showAmount(amount, 5)}`);
  };
  expect(compare('100.00')).toEqual(['rounding -0.00048']);
  expect(compare('101.00')).toEqual(['quantity 0.15952']);
  expect(compare('99.00')).toEqual(['quantity -0.16048']);
  expect(compareAmounts(sizeOf(amountOf('-1')), amountOf('1'))).toBe(0);
});
