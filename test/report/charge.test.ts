import { expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { findFocusFaults } from '../support/focus-validator.ts';
import { SmallHistory } from './small-history.ts';

const wholePlan = `pricing:
  currency: EUR
  rounding: {decimals: 2}
  plans:
    - name: all
      prices: [{from: 2026-01-01, per_compute_hour: 0.125}]
      included: {amount: 1, per: project}
      base_fee: 19
      minimum: 4
      counted: [{name: projects, of: projects, included: 1, price: 2, count: peak}]
  lines: [{name: storage, from: 2026-10-01, quantity: 3, unit: GB-month, price: 0.5}]
  adjustments:
    - {name: credit, kind: credit, on: 2026-10-02, amount: 5}
    - {name: refund, kind: adjustment, on: 2026-10-02, amount: -1.5}
    - {name: VAT, kind: tax, from: 2026-01-01, percent: 10}
`;

test('every charge of a bill is a row of FOCUS output in its category', async () => {
  using small = new SmallHistory();
  small.write('dbpm.yaml', wholePlan);
  const { stdout } = await small.report('cost --period billing:2026-10 --format focus');
  const { header, rows } = readCsv(stdout);
  expect(findFocusFaults(header, rows)).toEqual([]);
  const shown = rows.map(row =>
    [row.ChargeCategory, row.ChargeDescription, Number(row.BilledCost)].join(' '),
  );
  // 40, 5.5 and 2 hours at 0.125 come to 5, 0.6875 and 0.25.
  expect(shown.slice(3)).toEqual([
    'Credit Compute that plan all includes -1',
    'Credit Compute that plan all includes -0.6875',
    'Credit Compute that plan all includes -0.25',
    'Purchase Base fee of plan all 19',
    'Usage projects of plan all 4',
    'Usage storage 1.5',
    'Adjustment refund -1.5',
    'Credit credit -5',
    'Tax VAT 2.2',
  ]);
});

test('a row of costs has what is included for its project, and other charges have their own', async () => {
  using small = new SmallHistory();
  small.write('dbpm.yaml', wholePlan);
  const { stdout } = await small.report('cost --period billing:2026-10 --format csv');
  const { rows } = readCsv(stdout);
  expect(rows.map(row => `${row.project_id} ${row.cost}`)).toEqual([
    '(base fee) 19.00',
    'p-shop 4.00',
    '(projects) 4.00',
    '(VAT) 2.20',
    '(storage) 1.50',
    'p-dw 0.00',
    'p-stray 0.00',
    '(refund) -1.50',
    '(credit) -5.00',
  ]);
});

test('taxes of one name in two currencies are two lines of a bill that say their currencies', async () => {
  using small = new SmallHistory();
  small.write(
    'dbpm.yaml',
    `pricing:
  currency: EUR
  exchange_rates: [{currency: USD, from: 2026-01-01, rate: 0.4}]
  plans:
    - {name: scale, match: {regions: ["aws-*"]}, prices: [{from: 2026-01-01, per_compute_hour: 0.1}]}
    - {name: azure, currency: USD, prices: [{from: 2026-01-01, per_compute_hour: 0.2}]}
  adjustments: [{name: VAT, kind: tax, from: 2026-01-01, percent: 10}]
`,
  );
  // 40 hours at 0.1 EUR, and 7.5 at 0.2 USD.
  for (const step of ['', ' --step month']) {
    const { stdout } = await small.report(`cost --period 2026-10 --by line --format csv${step}`);
    const { rows } = readCsv(stdout);
    expect(rows.map(row => `${row.line}: ${row.cost}`)).toEqual([
      'compute: 4.00',
      'compute: 0.60',
      'VAT, EUR: 0.40',
      'VAT, USD: 0.06',
    ]);
  }
});
