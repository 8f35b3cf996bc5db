import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { SmallHistory } from './small-history.ts';

let small: SmallHistory;
beforeAll(() => {
  small = new SmallHistory();
});
afterAll(() => small[Symbol.dispose]());

/** Rows of a report, made on 2 November, with the days of a zone. */
async function rowsIn(zone: string, period: string): Promise<Record<string, string>[]> {
  const config = small.writeForZone(zone);
  const { stdout } = await small.report(`cost --period ${period} --format json --config.file ${config}`);
  return JSON.parse(stdout).rows;
}

const minimumsOf = (rows: readonly Record<string, string>[]) =>
  rows.filter(({ project_id }) => project_id === '(minimum charge)').map(({ cost }) => cost);

test.for(['UTC', 'Europe/Berlin', 'America/New_York', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])(
  'in %s the minimum of October is in October and in no other month',
  async zone => {
    const months = ['2026-09', '2026-10', '2026-11', 'this-month', 'last-month', '2026'];
    const minimums = await Promise.all(months.map(async month => minimumsOf(await rowsIn(zone, month))));
    expect(minimums).toEqual([[], ['13.54'], [], [], ['13.54'], ['13.54']]);
  },
);

test.for([
  ['billing', '2026-11-01 00:00 to 2026-11-02 00:00 (UTC)', '0.00'],
  ['last-billing', '2026-10-01 00:00 to 2026-11-01 00:00 (UTC)', '19.51'],
  ['billing:2026-10', '2026-10-01 00:00 to 2026-11-01 00:00 (UTC)', '19.51'],
  ['billing:2026-10-01', '2026-10-01 00:00 to 2026-11-01 00:00 (UTC)', '19.51'],
] as const)(
  'in another zone %s is the period the vendor charges',
  async ([period, span, cost], { expect }) => {
    const line = `--period ${period} --config.file ${small.writeForZone('Europe/Berlin')}`;
    const { stdout } = await small.report(`cost ${line}`);
    expect(stdout).toContain(`Cost by project, ${period}: ${span}, in EUR\n`);
    expect(JSON.parse((await small.report(`cost ${line} --format json`)).stdout).totals.cost).toBe(cost);
    expect((await small.report(`usage ${line}`)).stdout).toContain(`Usage by project, ${period}: ${span}\n`);
  },
);

test.for(['operations', 'keys', 'findings'])('%s are reported of billing periods, too', async kind => {
  const { stdout } = await small.report(`${kind} --period billing:2026-10`);
  expect(stdout).toMatch(/, billing:2026-10: .* to 2026-11-01 00:00 \(UTC\)/);
});

test('a row of a minimum names its billing period in a table, and has it as a field of its own elsewhere', async () => {
  const config = small.writeForZone('Europe/Berlin', '{hours: 240, from: 2026-10-02}');
  const report = async (format: string, by: string) => {
    const line = `cost --period 2026-10 --by ${by} --format ${format} --config.file ${config}`;
    return (await small.report(line)).stdout;
  };
  const table = await report('table', 'group');
  expect(table).toContain('\n(minimum charge 2026-10-02..2026-10-12)  ');
  expect(table).toContain('\n(minimum charge 2026-10-12..2026-10-22)  ');
  expect(table.split('\n')[2]).toMatch(/ unpriced hours$/);
  const { header, rows } = readCsv(await report('csv', 'project'));
  expect(header.slice(-5)).toEqual([
    ...['billing_period', 'period', 'period_from', 'period_until', 'currency'],
  ]);
  expect(rows.map(row => [row.project_id, row.billing_period])).toEqual([
    ['(minimum charge)', '2026-10-22..2026-11-01'],
    ['(minimum charge)', '2026-10-02..2026-10-12'],
    ['(minimum charge)', '2026-10-12..2026-10-22'],
    ['p-shop', ''],
    ['p-dw', ''],
    ['p-stray', ''],
  ]);
  const withinOne = await small.report(
    `cost --period 2026-10-03..2026-10-12 --format csv --config.file ${config}`,
  );
  expect(readCsv(withinOne.stdout).rows.map(row => [row.project_id, row.billing_period])).toEqual([
    ['p-shop', '2026-10-02..2026-10-12'],
  ]);
  const written = JSON.parse(await report('json', 'region'));
  expect(written.rows[0]).toMatchObject({
    region_id: '(minimum charge)',
    billing_period: '2026-10-22..2026-11-01',
  });
  expect(written.totals.billing_period).toBeNull();
  expect(await report('markdown', 'account')).toContain(
    'Minimum charges of 52.14 (3 billing periods of 2026-10-02..2026-11-01) are in the rows of their accounts.',
  );
});

test('in a month of another zone a minimum is said to be that of a billing period', async () => {
  const { stdout } = await small.report(
    `cost --period 2026-10 --config.file ${small.writeForZone('Europe/Berlin')}`,
  );
  expect(stdout).toContain(
    'The minimum charge of 2026-10 is that of a billing period from 2026-10-01 02:00 to 2026-11-01 01:00: --period billing:2026-10 reports what it comes to in all.',
  );
});

test('FOCUS rows of a minimum charge are of their billing period, whatever month of a zone they are in', async () => {
  const config = small.writeForZone('America/New_York');
  const { stdout } = await small.report(`cost --period 2026-10 --format focus --config.file ${config}`);
  const minimums = readCsv(stdout).rows.filter(({ SkuId }) => SkuId === 'minimum');
  expect(minimums).toHaveLength(1);
  expect(minimums[0]).toMatchObject({
    BillingPeriodStart: '2026-10-01T00:00:00Z',
    BillingPeriodEnd: '2026-11-01T00:00:00Z',
    ChargePeriodStart: '2026-10-01T00:00:00Z',
    ChargePeriodEnd: '2026-11-01T00:00:00Z',
    BilledCost: '13.540000000000',
  });
});

test('a billing period that is none or several ends with what to write and exit code 2', async () => {
  const config = small.writeForZone('UTC', '{hours: 240, from: 2026-10-02}');
  expect(await small.report(`cost --period billing:2026-10 --config.file ${config}`)).toEqual({
    exitCode: 2,
    stdout: '',
    stderr:
      'dbpm-exporter: --period: "billing:2026-10" names 3 billing periods: so many begin in 2026-10, the first of them is billing:2026-10-02\n',
  });
});

test('without a price book billing periods are months of UTC', async () => {
  using free = new SmallHistory({ withPrices: false });
  const { stdout } = await free.report('usage --period last-billing');
  expect(stdout).toContain('Usage by project, last-billing: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC)\n');
});

test('a minimum charge whose billing period is over but not all read is missing, and said to be', async () => {
  const now = Date.parse('2026-12-05T00:00:00Z');
  const gap =
    'What account main used in the billing period 2026-11 is known only until 2026-11-02 00:00: a minimum charge for it is not in it.';
  for (const format of ['table', 'focus']) {
    const line = `cost --period 2026-11-01..2026-11-02 --format ${format}`;
    const { exitCode, stderr } = await small.report(line, { now });
    expect({ exitCode, isSaid: stderr.includes(`partial: ${gap}\n`) }).toEqual({ exitCode: 3, isSaid: true });
  }
});
