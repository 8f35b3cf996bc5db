import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, test } from 'vitest';
import { fingerprintOfText } from '../../../src/cost/price/fingerprint.ts';
import { backupHistory } from '../../../src/history/file/backup.ts';
import { openTables } from '../../export/parquet/duck.ts';
import { exportTo } from '../../export/parquet/table-run.ts';
import { readCsv } from '../../support/csv-reader.ts';
import { ClosedHistory, usualPrices } from './closed-history.ts';

const close = 'close --period billing:2026-10';
const closing = 'The billing period 2026-10 of account main is closed: 15.00 USD, price book a-price-book.\n';

// 78 hours and half of 24 at 0.16 are 14.40, and 0.60 are missing to the minimum.
const october = ['(minimum charge) 0.60', 'p-shop 14.40', 'total 15.00'];

async function closedHistory(): Promise<ClosedHistory> {
  const world = new ClosedHistory();
  expect(await world.run(close)).toEqual({ exitCode: 0, stdout: closing, stderr: '' });
  return world;
}

test('a closed billing period is reported as it was, and what is found later is an adjustment of the open one', async () => {
  using world = new ClosedHistory();
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  expect(await world.run(close)).toEqual({ exitCode: 0, stdout: closing, stderr: '' });
  expect(await world.costs('--period billing')).toEqual(['p-shop 1.92', 'total 1.92']);
  world.findLater();
  expect(await world.costs('--period billing:2026-10')).toEqual(october);
  expect(await world.costs('--period billing:2026-10 --by region')).toEqual([
    '(minimum charge) 0.60',
    '(unknown) 14.40',
    'total 15.00',
  ]);
  // All 102 hours of October come to 16.32.
  expect(await world.costs('--period billing')).toEqual(['(found later for 2026-10) 1.32', 'total 1.32']);
});

test('what is found later counts once, however a report cuts the time of a closed period', async () => {
  using world = await closedHistory();
  world.findLater();
  const total = async (line: string) => {
    const { rows, totals } = JSON.parse((await world.run(`report ${line} --format json`)).stdout);
    const sum = rows.reduce((cost: number, row: { readonly cost: string }) => cost + Number(row.cost), 0);
    return totals?.cost ?? sum.toFixed(2);
  };
  const forms = ['--by project', '--by line', '--by endpoint', '--step day', '--step week', '--step month'];
  for (const zone of ['UTC', 'Pacific/Auckland']) {
    world.price(`usage: {timezone: ${zone}}\n${usualPrices}`);
    for (const form of forms) {
      expect(await total(`cost --period billing:2026-10 ${form}`), `${zone} ${form}`).toBe('15.00');
      expect(await total(`cost --period 2026-10..2026-11 ${form}`), `${zone} ${form}`).toBe('16.32');
    }
    expect(await total('months --period 2026-10..2026-11'), zone).toBe('16.32');
  }
  expect(await world.costs('--period billing:2026-10 --by endpoint')).toEqual([
    '(found later for 2026-10) -1.92',
    '(minimum charge) 0.60',
    'p-shop 16.32',
    'total 15.00',
  ]);
});

test('the tables of the days of a closed period come to its bill', async () => {
  using world = await closedHistory();
  world.findLater();
  while (world.history.upkeep(world.now));
  const out = join(world.folder.path, 'lake');
  expect(await exportTo(out, world.configFile, [world.file])).toMatchObject({ exitCode: 0 });
  using ask = await openTables([out], ['cost_lines']);
  const october = "SELECT round(sum(cost), 2) AS cost FROM cost_lines WHERE billing_period = '2026-10'";
  expect(await ask(october)).toEqual([{ cost: '15.00' }]);
});

test('a part of a closed period is compared with the charges that were known by then', async () => {
  using world = new ClosedHistory();
  world.price(`${usualPrices}  adjustments: [{name: VAT, kind: tax, from: 2026-01-01, percent: 19}]\n`);
  const why = 'report why --period billing --against billing:2026-10';
  const before = await world.run(why);
  expect(before.stdout).toContain('Each is compared over ');
  expect(before.stdout).toMatch(/^VAT /m);
  await world.run(close);
  expect(await world.run(why)).toEqual(before);
});

test('another price book with the same prices makes no difference, for a closed period neither', async () => {
  using world = await closedHistory();
  world.findLater();
  const same = join(world.folder.path, 'same.yaml');
  writeFileSync(same, usualPrices);
  for (const period of ['billing:2026-10', 'billing:2026-11']) {
    const { stdout } = await world.run(`report cost --period ${period} --what-if ${same} --format json`);
    const { rows, totals, notes } = JSON.parse(stdout);
    const differences = [...rows, totals].map(({ difference }) => difference);
    expect(new Set(differences), period).toEqual(new Set(['0.00']));
    const isSaid = notes.some((note: string) => note.includes('worked out anew under both price books'));
    expect(isSaid, period).toBe(period === 'billing:2026-10');
  }
});

test('an adjustment stays in the period it was closed with, and is not made again', async () => {
  using world = await closedHistory();
  world.findLater();
  world.now = Date.parse('2026-12-02T00:00:00Z');
  world.list('12-01T23:59', 102);
  // Of November, 15 are missing to the minimum.
  const november = ['(found later for 2026-10) 1.32', '(minimum charge) 15.00', 'total 16.32'];
  expect(await world.costs('--period billing:2026-11')).toEqual(november);
  expect(await world.run('close')).toEqual({
    exitCode: 0,
    stdout: 'The billing period 2026-11 of account main is closed: 16.32 USD, price book a-price-book.\n',
    stderr: '',
  });
  expect(await world.costs('--period billing:2026-11')).toEqual(november);
  expect(await world.costs('--period billing')).toEqual(['total 0.00']);
  expect(await world.costs('--period 2026-10-01..2026-12-01')).toEqual([
    '(found later for 2026-10) 1.32',
    '(minimum charge) 0.60',
    '(minimum charge) 15.00',
    'p-shop 14.40',
    'total 31.32',
  ]);
  expect(await world.run(`${close} --reopen`)).toEqual({
    exitCode: 1,
    stdout: '',
    stderr:
      'dbpm-exporter: the billing period 2026-11 of account main is closed with what was found later for 2026-10: open that one again first\n',
  });
});

test('a period opened again is worked out anew, says so, and can be closed again', async () => {
  using world = await closedHistory();
  world.findLater();
  expect(await world.run(`${close} --reopen`)).toEqual({
    exitCode: 0,
    stdout: 'The billing period 2026-10 of account main is open again.\n',
    stderr: '',
  });
  expect(await world.costs('--period billing:2026-10')).toEqual(['p-shop 16.32', 'total 16.32']);
  expect((await world.run('report cost --period billing:2026-10')).stdout).toContain(
    '- Billing period 2026-10 of account main was closed on 2026-11-03 09:00 and opened again on 2026-11-03 09:00.\n',
  );
  expect((await world.run(close)).stdout).toContain('is closed: 16.32 USD');
  expect((await world.run('close --list')).stdout).toBe(
    `Closed billing periods, all: 2026-10-01 00:00 to 2026-11-03 09:00 (UTC)

account  billing period  closed at          cost  currency  price book    reopened at
-------  --------------  ----------------  -----  --------  ------------  ----------------
main     2026-10         2026-11-03 09:00  15.00  USD       a-price-book  2026-11-03 09:00
main     2026-10         2026-11-03 09:00  16.32  USD       a-price-book
`,
  );
});

test('reports say what is of a closed bill, and what is worked out anew', async () => {
  using world = await closedHistory();
  const notes = async (line: string) => {
    const { stdout } = await world.run(`report cost ${line}`);
    return stdout.split('\n').filter(text => text.includes('closed'));
  };
  const whole =
    '- Billing period 2026-10 of account main was closed on 2026-11-03 09:00 with price book a-price-book: its bill is that of then.';
  const part =
    '- Billing period 2026-10 of account main is closed, and this report has its use in other parts than the bill: it is worked out anew, and an adjustment beside its charges takes off what was found later. report cost --period billing:2026-10 has the lines of the bill.';
  expect(await notes('--period billing:2026-10')).toEqual([whole]);
  expect(await notes('--period 2026-10-10..2026-11-02')).toEqual([part]);
  expect(await notes('--period 2026-10 --by endpoint')).toEqual([part]);
  expect(await notes('--period 2026-10 --step day')).toEqual([part]);
  expect(await notes('--period 2026-10 --step month')).toEqual([whole]);
  expect(await notes('--period billing')).toEqual([]);
  world.price(`${usualPrices}groups: {team: {shop: {projects: [shop]}}}\n`);
  const { stdout } = await world.run('report showback --period billing:2026-10');
  expect(stdout).toContain(`## Notes\n\n${whole}\n`);
});

test('what is frozen is what FOCUS has, too', async () => {
  using world = await closedHistory();
  const focus = 'report cost --period billing:2026-10 --format focus';
  const before = await world.run(focus);
  world.findLater();
  expect(await world.run(focus)).toEqual(before);
  expect(before.stdout.split('\r\n')).toHaveLength(4);
  const open = readCsv((await world.run('report cost --period billing --format focus')).stdout);
  expect(open.rows.map(row => [row.ChargeCategory, row.ChargeDescription, row.BilledCost])).toEqual([
    ['Adjustment', 'found later for 2026-10', '1.320000000000'],
  ]);
});

test('a period that is not over, closed already or no billing period is refused', async () => {
  using world = await closedHistory();
  const refusal = async (line: string) => (await world.run(line)).stderr;
  expect(await refusal('close --period billing')).toBe(
    'dbpm-exporter: --period: the billing period 2026-11 is not over: it ends at 2026-12-01 00:00 UTC\n',
  );
  expect(await refusal('close --period 2026-10-02..2026-11-01')).toBe(
    'dbpm-exporter: --period: "2026-10-02..2026-11-01" is not one whole billing period: write last-billing, or billing:2026-10 for the one that begins in October\n',
  );
  expect(await refusal(close)).toBe(
    'dbpm-exporter: the billing period 2026-10 of account main is closed already, since 2026-11-03: leave it as it is, name another account with --account, or open it again with --reopen\n',
  );
  expect(await refusal('close --period billing:2026-09 --reopen')).toBe(
    'dbpm-exporter: the billing period 2026-09 is not closed: close --list shows which are\n',
  );
});

test('a period that is not wholly known is closed only when that is accepted, which stays on record', async () => {
  using world = new ClosedHistory();
  const gap = 'What all projects of account main used is known only from 2026-10-01 00:00 on.';
  expect(await world.run('close --period billing:2026-09')).toEqual({
    exitCode: 1,
    stdout: '',
    stderr: `dbpm-exporter: the billing period 2026-09 is not closed, as it is not wholly known: ${gap} To accept that, close it with --anyway.\n`,
  });
  expect((await world.run('close --list')).stdout).toContain('Nothing to report.');
  expect(await world.run('close --period billing:2026-09 --anyway')).toMatchObject({
    exitCode: 0,
    stderr: `accepted: ${gap}\n`,
  });
  expect((await world.run('close --list')).stdout).toContain(
    `- Accepted for 2026-09 of account main: ${gap}\n`,
  );
});

test('a backup has the closed periods, with the fingerprint of their price book', async () => {
  using world = await closedHistory();
  const to = `${world.file}.copy`;
  await backupHistory({ from: world.file, to });
  using copy = Object.assign(new Database(to), { [Symbol.dispose]: () => copy.close() });
  const [row, ...others] = copy.prepare('SELECT fingerprint, price_book FROM closed_period').all() as {
    readonly fingerprint: string;
    readonly price_book: string;
  }[];
  expect(others).toEqual([]);
  expect(row?.fingerprint).toBe(fingerprintOfText(row?.price_book ?? ''));
  expect(JSON.parse(row?.price_book ?? '').plans).toEqual([
    {
      currency: 'USD',
      match: {},
      minimum: '15',
      name: 'scale',
      prices: [{ discountPercent: '0', perComputeHour: '0.16' }],
    },
  ]);
});
