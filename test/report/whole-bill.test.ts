import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { findFocusFaults } from '../support/focus-validator.ts';
import { SmallHistory } from './small-history.ts';

/** A price book with charges of every kind that an account can have; `shop` used 40 compute hours, `p-dw` 5.5, `stray` 2. */
const book = `pricing:
  currency: EUR
  rounding: {decimals: 2, line: account}
  plans:
    - name: scale
      prices:
        - {from: 2026-01-01, per_compute_hour: 0.16}
        - {from: 2026-10-15, tiers: [{up_to: 20, per_compute_hour: 0.15}, {per_compute_hour: 0.1}]}
      included: {amount: 1, per: account}
      base_fee: [{from: 2026-01-01, amount: 19}, {from: 2026-07-01, amount: 25}]
      counted:
        - {name: extra projects, of: projects, included: 1, price: 1.5, count: peak}
  lines:
    - {name: storage, account: main, from: 2026-10-01, to: 2026-11-01, quantity: 40, unit: GB-month, price: 0.35, share: hours}
    - {name: support, from: 2026-10-01, amount: 9, share: evenly}
  adjustments:
    - {name: startup credit, kind: credit, from: 2026-10-01, to: 2026-12-01, amount: 5}
    - {name: support refund, kind: adjustment, on: 2026-10-12, amount: -7.30}
    - {name: VAT, kind: tax, from: 2026-01-01, percent: 19}
groups:
  team:
    web: {projects: [shop]}
    data: {projects: [p-dw]}
`;

let small: SmallHistory;
let config: string;
beforeAll(() => {
  small = new SmallHistory();
  config = small.write('whole.yaml', book);
});
afterAll(() => small[Symbol.dispose]());

const read = async (line: string) => {
  const { stdout } = await small.report(`cost --period 2026-10 ${line} --config.file ${config}`);
  return readCsv(stdout);
};
const sum = (rows: readonly Readonly<Record<string, string>>[], name: string) =>
  rows.reduce((total, row) => total + Number(row[name]), 0);

test('a bill with charges of every kind keeps the rules of FOCUS and adds up', async () => {
  const { header, rows } = await read('--format focus');
  expect(findFocusFaults(header, rows)).toEqual([]);
  const whole = await read('--format csv');
  expect(sum(rows, 'BilledCost')).toBeCloseTo(sum(whole.rows, 'cost'), 2);
  const kinds = rows.map(row => `${row.ChargeCategory} ${row.SkuPriceId}`.trim());
  expect(new Set(kinds)).toEqual(
    new Set([
      'Usage compute/scale/2026-01-01',
      'Usage compute/scale/2026-10-15/tier-1',
      'Usage compute/scale/2026-10-15/tier-2',
      'Credit',
      'Purchase base_fee/scale/2026-07-01',
      'Usage counted/extra projects/scale',
      'Usage line/storage',
      'Purchase line/support',
      'Adjustment',
      'Tax',
    ]),
  );
});

test('shared out, all of the bill is in groups, and every group’s page has its part', async () => {
  const apart = await read('--by group --format csv');
  const shared = await read('--by group --share --format csv');
  expect(sum(shared.rows, 'cost')).toBeCloseTo(sum(apart.rows, 'cost'), 9);
  expect(shared.rows.map(row => row.group).toSorted()).toEqual(['data', 'ungrouped', 'web']);
  const { stdout } = await small.report(`showback --period 2026-10 --config.file ${config}`);
  const totals = [...stdout.matchAll(/^\| \*\*total\*\* \| \*\*(.*)\*\* \|$/gm)].map(([, total]) =>
    Number(total),
  );
  expect(totals).toEqual(
    ['web', 'data', 'ungrouped'].map(group => Number(shared.rows.find(row => row.group === group)?.cost)),
  );
  // 9 for support go to three projects evenly, 14 for storage by 40, 5.5 and 2 of 47.5 hours.
  expect(stdout.match(/\| support 2026-10, the group’s part \| 3\.00 \|/g)).toHaveLength(3);
  const storage = [...stdout.matchAll(/\| storage 2026-10, the group’s part \| (.*) \|/g)];
  expect(storage.map(([, cost]) => cost)).toEqual(['11.79', '1.62', '0.59']);
});
