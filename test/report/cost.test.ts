import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { SmallHistory } from './small-history.ts';

let small: SmallHistory;
beforeAll(() => {
  small = new SmallHistory();
});
afterAll(() => small[Symbol.dispose]());

const unpriced =
  '2.00 compute hours are unpriced: no plan or price is for them, and the cost is without them.';

// shop: 4 of 10 hours included, 6 × 0.16 and 30 × 0.15, is 5.46, and 13.54 are missing to 19; dw: 5.5 × 0.10 USD × 0.92.
test('costs add up to their total, with minimum charges of their own and what is unpriced as unpriced', async () => {
  expect(await small.report('cost --period 2026-10')).toEqual({
    exitCode: 3,
    stderr: `partial: ${unpriced}\ndbpm-exporter: the report is not of all that was asked for\n`,
    stdout: `Cost by project, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC), in EUR

account  project                   name                       cost  used hours  included hours  billed hours  unpriced hours
-------  ------------------------  ---------------------  --------  ----------  --------------  ------------  --------------
main     (minimum charge 2026-10)                            13.54        0.00            0.00          0.00            0.00
main     p-shop                    shop                       5.46       40.00            4.00         36.00            0.00
main     p-dw                      =dw | "x" second line      0.51        5.50            0.00          5.50            0.00
main     p-stray                   stray                  unpriced        2.00            0.00          0.00            2.00
-------  ------------------------  ---------------------  --------  ----------  --------------  ------------  --------------
total                                                        19.51       47.50            4.00         41.50            2.00

- ${unpriced}
`,
  });
});

test('compute can be charged by the time that endpoints were awake, and the report says so', async () => {
  using own = new SmallHistory();
  const plan = '{name: all, prices: [{from: 2026-01-01, per_compute_hour: 1}]}';
  own.write('dbpm.yaml', `pricing: {currency: EUR, ledger: reconstructed, plans: [${plan}]}`);
  const { stdout } = await own.report('cost --period 2026-10');
  // shop was awake for 10 hours with one endpoint of one unit and for 15 with two, until each was suspended; dw for 11 with half a unit.
  expect(stdout).toMatch(/^main +p-shop +shop +40\.01 +40\.01 /m);
  expect(stdout).toMatch(/^main +p-dw .* 5\.50 +5\.50 /m);
  expect(stdout).not.toContain('p-stray');
  expect(stdout).toContain('- Compute of account main is by the time its endpoints were awake.\n');
});

test.for([
  ['all of it', '1000', '0.00'],
  ['more than it', '-30', '-4.00'],
] as const)(
  'a bill of which %s is taken off has a total beside use that is unpriced',
  async ([, amount, total]) => {
    using own = new SmallHistory();
    const kind = amount.startsWith('-') ? 'adjustment' : 'credit';
    const plan =
      '{name: aws, match: {regions: ["aws-*"]}, prices: [{from: 2026-01-01, per_compute_hour: "0.65"}]}';
    const refund = `{name: refund, kind: ${kind}, on: 2026-10-20, amount: "${amount}"}`;
    own.write('dbpm.yaml', `pricing: {currency: EUR, plans: [${plan}], adjustments: [${refund}]}`);
    for (const by of ['account', 'line']) {
      const { stdout } = await own.report(`cost --period 2026-10 --by ${by} --format json`);
      expect(JSON.parse(stdout).totals.cost).toBe(total);
    }
    const { stdout } = await own.report('cost --period 2026-10 --by account --format json');
    expect(JSON.parse(stdout).rows[0]).toMatchObject({ cost: total, unpriced_hours: '7.50' });
  },
);

test.for([
  ['group', ['(minimum charge) 13.54', 'web 5.46', 'data 0.51', 'ungrouped ']],
  ['region', ['(minimum charge) 13.54', 'aws-eu 5.46', 'azure-eu 0.51', 'gcp-eu ']],
  ['account', ['main 19.51']],
] as const)('costs by %s are shares of the same total', async ([by, wanted]) => {
  const { stdout } = await small.report(`cost --period 2026-10 --by ${by} --format json`);
  const { rows, totals } = JSON.parse(stdout);
  const lines = rows.map((row: Record<string, string>) => `${Object.values(row)[0]} ${row.cost ?? ''}`);
  expect(lines).toEqual(wanted);
  expect(totals).toMatchObject({ cost: '19.51', used_hours: '47.50', billed_hours: '41.50' });
});

// On the 20th ep-2 may have been awake for a minute more than ep-1, until it was seen to be gone.
test('costs by endpoint are shared out by day, included hours as well', async () => {
  const { stdout } = await small.report('cost --period 2026-10 --by endpoint --format csv');
  expect(
    readCsv(stdout).rows.map(row => [row.endpoint_id, row.cost, row.used_hours, row.included_hours]),
  ).toEqual([
    ['', '13.54', '0.00', '0.00'],
    ['ep-1', '3.21', '25.00', '4.00'],
    ['ep-2', '2.25', '15.00', '0.00'],
    ['ep-dw', '0.51', '5.50', '0.00'],
    ['(not told)', '', '2.00', '0.00'],
  ]);
});

test('another price book shows what the same usage would cost, and the difference by row', async () => {
  const plans = '[{name: flat, prices: [{from: 2026-01-01, per_compute_hour: "0.1"}]}]';
  const other = small.write('flat.yaml', `pricing: {currency: EUR, plans: ${plans}}\n`);
  const { stdout } = await small.report(`cost --period 2026-10 --what-if ${other}`);
  expect(
    stdout,
  ).toBe(`Cost under another price book by project, 2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC), in EUR

account  project                   name                       cost  what if cost  difference  used hours
-------  ------------------------  ---------------------  --------  ------------  ----------  ----------
main     (minimum charge 2026-10)                            13.54          0.00      -13.54        0.00
main     p-shop                    shop                       5.46          4.00       -1.46       40.00
main     p-dw                      =dw | "x" second line      0.51          0.55        0.04        5.50
main     p-stray                   stray                  unpriced          0.20                    2.00
-------  ------------------------  ---------------------  --------  ------------  ----------  ----------
total                                                        19.51          4.75      -14.76       47.50

- 2.00 compute hours are unpriced as configured: no plan or price is for them, and the cost is without them.
- The difference is what the other price book would cost more, or less where it is negative.
`);
});

test('another price book in another currency cannot be compared', async () => {
  const other = small.write(
    'usd.yaml',
    'pricing: {currency: USD, plans: [{name: a, prices: [{from: 2026-01-01, per_compute_hour: 1}]}]}\n',
  );
  const { exitCode, stderr } = await small.report(`cost --what-if ${other}`);
  expect(exitCode).toBe(2);
  expect(stderr).toBe(
    'dbpm-exporter: --what-if: DIR/usd.yaml shows USD and the configuration EUR, which cannot be compared: write display_currency: EUR in it, with exchange_rates\n',
  );
});

test('what has no exchange rate is named with its currency and left out', async () => {
  const plans = '[{name: far, currency: JPY, prices: [{from: 2026-01-01, per_compute_hour: 20}]}]';
  const rates = '[{currency: JPY, from: 2026-10-15, rate: 0.006}]';
  const other = small.write(
    'jpy.yaml',
    `pricing: {currency: EUR, exchange_rates: ${rates}, plans: ${plans}}\n`,
  );
  const { stdout } = await small.report(`cost --period 2026-10 --what-if ${other} --format json`);
  const { rows, totals, notes } = JSON.parse(stdout);
  // The cost of shop is 30 × 20 × 0.006; the 15.5 hours before the 15th are 310 JPY.
  expect(rows.map((row: Record<string, string>) => [row.project_id, row.what_if_cost])).toEqual([
    ['(minimum charge)', '0.00'],
    ['p-shop', '3.60'],
    ['p-dw', null],
    ['p-stray', '0.24'],
  ]);
  expect(totals.what_if_cost).toBe('3.84');
  expect(notes).toContain(
    '310 JPY could not be converted under the other price book: there is no exchange rate for it, and the cost is without it.',
  );
});

test('without prices there are no costs, and the sentence says what to write', async () => {
  using free = new SmallHistory({ withPrices: false });
  const { exitCode, stdout, stderr } = await free.report('cost');
  expect({ exitCode, stdout }).toEqual({ exitCode: 2, stdout: '' });
  expect(stderr).toMatch(
    /^dbpm-exporter: costs need prices: write a section pricing into the configuration, /,
  );
});

test('who reads reports need not hold the keys of the accounts', async () => {
  const config = small.write(
    'keyless.yaml',
    `accounts:
  - {name: main, base_url: "http://127.0.0.1:1/api/v2/", api_key_env: ONLY_THE_DAEMON_HAS_IT}
  - {name: other, base_url: "http://127.0.0.1:1/api/v2/", api_key_file: only-the-daemon-may-read-it}
pricing: {currency: EUR, plans: [{name: all, prices: [{from: 2026-01-01, per_compute_hour: 0.1}]}]}
`,
  );
  const line = `cost --period 2026-10 --by account --account main --format csv --config.file ${config}`;
  const { exitCode, stdout } = await small.report(line);
  expect({ exitCode, stdout }).toEqual({
    exitCode: 0,
    stdout:
      'account,cost,used_hours,included_hours,billed_hours,unpriced_hours,period,period_from,period_until,currency\r\nmain,4.75,47.50,0.00,47.50,0.00,2026-10,2026-10-01T00:00:00Z,2026-11-01T00:00:00Z,EUR\r\n',
  });
});

test('a minimum charge that is not in it is named with the reason', async () => {
  const notesOf = async (period: string) => {
    const { stdout } = await small.report(`cost --period ${period} --by group --format json`);
    return JSON.parse(stdout).notes as string[];
  };
  expect(await notesOf('2026-11')).toContain(
    'A minimum charge is due when its billing period ends: of the one that ends at 2026-12-01 00:00 none is in it.',
  );
  expect(await notesOf('2026-10-05..2026-10-31')).toContain(
    'A minimum charge belongs to the day on which its billing period begins: none begins in this period, so none is in it.',
  );
  expect(await notesOf('2026-10-01..2026-10-31')).toContain(
    'The minimum charge of 2026-10 is that of a billing period from 2026-10-01 00:00 to 2026-11-01 00:00: --period billing:2026-10 reports what it comes to in all.',
  );
  expect((await notesOf('2026-10')).join()).not.toContain('minimum');
});

test('JSON tells its schema, when it was made, and by which price book', async () => {
  using small = new SmallHistory();
  const made = async (line: string) => JSON.parse((await small.report(`${line} --format json`)).stdout);
  const cost = await made('cost --period 2026-10');
  expect(cost).toMatchObject({ schema_version: 1, generated_at: '2026-11-02T00:00:10Z' });
  expect(cost.price_book_fingerprint).toMatch(/^[0-9a-f]{64}$/);
  expect(await made('findings')).toMatchObject({ price_book_fingerprint: cost.price_book_fingerprint });
  expect(await made('usage')).not.toHaveProperty('price_book_fingerprint');
});
