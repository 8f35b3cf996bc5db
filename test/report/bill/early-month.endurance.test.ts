import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { dayMs } from '../../../src/resources/duration.ts';
import { readCsv } from '../../support/csv-reader.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../../support/meter-builder.ts';
import { projectsReading, wireProject } from '../../support/reading-builder.ts';
import { EarlyHistory } from './early-history.ts';
import { meteredPrices } from './metered-history.ts';
import { PricedHistory } from './priced-history.ts';

let world: EarlyHistory;
beforeAll(() => {
  world = new EarlyHistory();
});
afterAll(() => world[Symbol.dispose]());

// 15 days of 24 half hours at 0.106, and 10 GB stored for a month of 31 days at 0.35.
test('a month before the history began costs what the meter says of it, and the report is whole', async () => {
  expect(await world.run('report cost --period billing:2026-08')).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: `Cost by project, billing:2026-08: 2026-08-01 00:00 to 2026-09-01 00:00 (UTC), in USD

account  project  name   cost  used hours  included hours  billed hours  unpriced hours
-------  -------  ----  -----  ----------  --------------  ------------  --------------
main     p-old    old   22.58      180.00            0.00        180.00            0.00
-------  -------  ----  -----  ----------  --------------  ------------  --------------
total                   22.58      180.00            0.00        180.00            0.00

- What the service reports of account main is known from 2026-11-03 20:00 on: from 2026-08-01 00:00 to 2026-09-01 00:00 its use is by the meter alone.
- Compute of account main is by the meter of the service.
`,
  });
});

const august =
  'Of what account main was metered from 2026-08-01 00:00 to 2026-09-01 00:00 only the sum is known:';

async function gapsOf(line: string) {
  const { exitCode, stderr } = await world.run(line);
  const gaps = stderr.split('\n').filter(text => text.startsWith('partial: '));
  return { exitCode, gaps: gaps.map(text => text.slice('partial: '.length)) };
}

test('a month that is told as one cannot answer for ten days: they are estimated, and the report says so', async () => {
  const sentence = `${august} how much of it was used before and after 2026-08-11 00:00 is estimated. No part of the period is exact; a period that has all of that time is.`;
  expect(await gapsOf('report cost --period 2026-08-01..2026-08-11')).toEqual({
    exitCode: 3,
    gaps: [sentence],
  });
  expect((await gapsOf('report usage --period 2026-08-01..2026-08-11')).gaps).toContain(sentence);
});

test('the part of a period that is exact is told', async () => {
  expect(await gapsOf('report cost --period 2026-08-20..2026-10-05')).toEqual({
    exitCode: 3,
    gaps: [
      `${august} how much of it was used before and after 2026-08-20 00:00 is estimated. What was metered from 2026-09-01 00:00 to 2026-10-05 00:00 is exact.`,
    ],
  });
});

test('weeks of a month that is told as one are said once to be estimated', async () => {
  expect((await gapsOf('report cost --period billing:2026-08 --step week')).gaps).toEqual([
    `${august} how much of it was used in which part of that time is estimated. What was metered from 2026-08-01 00:00 to 2026-09-01 00:00 is exact.`,
  ]);
});

test('a month of another zone is none that the service told', async () => {
  world.price(`usage: {timezone: Europe/Berlin}${meteredPrices}`);
  const { gaps } = await gapsOf('report cost --period 2026-08');
  world.price(meteredPrices);
  expect(gaps.map(gap => /from (.*) only the sum/.exec(gap)?.[1])).toEqual([
    '2026-07-01 02:00 to 2026-08-01 02:00',
    '2026-08-01 02:00 to 2026-09-01 02:00',
  ]);
});

test('before the year that the meter tells of, use is not known', async () => {
  expect(await gapsOf('report cost --period 2026-05-01..2026-07-01')).toEqual({
    exitCode: 3,
    gaps: ['What all projects of account main used is known only from 2026-06-01 00:00 on.'],
  });
});

test('prices by what the service reports leave compute of such a month unknown', async () => {
  world.price(meteredPrices.replace('currency: USD', 'currency: USD\n  ledger: reported'));
  const found = await gapsOf('report cost --period billing:2026-08');
  world.price(meteredPrices);
  expect(found).toEqual({
    exitCode: 3,
    gaps: [
      'What the service reports of account main is known only from 2026-11-03 20:00 on, and what it metered from 2026-08-01 00:00 on.',
    ],
  });
});

test('usage of such a month is what was metered, and what is reported of it is empty', async () => {
  const { exitCode, stdout } = await world.run('report usage --period 2026-08 --format csv');
  expect(exitCode).toBe(0);
  expect(readCsv(stdout).rows[0]).toMatchObject({
    ...{ compute_hours: '', share_percent: '' },
    ...{ metered_compute_hours: '180.00', metered_storage_gb_months: '10.000' },
  });
});

test('what is reported of time in which only a part is known is left out beside the meter', async () => {
  using both = new EarlyHistory(true);
  const line = 'report usage --period 2026-10-01..2026-11-20 --step month --format csv';
  const { rows } = readCsv((await both.run(line)).stdout);
  // Of `late` 288 hours are known in October, and of `old` nothing.
  expect(rows.map(row => [row.step, row.project_id, row.compute_hours, row.awake_hours])).toEqual([
    ['2026-10', 'p-old', '', '744.00'],
    ['2026-10', 'p-late', '', '288.00'],
    ['2026-11', 'p-late', '456.00', '456.00'],
    ['2026-11', 'p-old', '388.00', '456.00'],
  ]);
});

test('an invoice of such a month is compared, and the month can be closed', async () => {
  const invoice = join(world.folder.path, 'invoice.csv');
  writeFileSync(
    invoice,
    'Description,Quantity,Unit price,Amount\nCompute (CU-hours),180,0.106,19.08\nRoot branch storage,10,0.35,3.50\n',
  );
  expect((await world.run(`reconcile --invoice ${invoice} --period billing:2026-08`)).exitCode).toBe(0);
  const { exitCode, stdout } = await world.run('close --period billing:2026-08');
  expect([exitCode, stdout]).toEqual([
    0,
    'The billing period 2026-08 of account main is closed: 22.58 USD, price book a-price-book.\nCompute of account main is by the meter of the service.\n',
  ]);
});

/** A project whose counter was set back between two readings. The meter tells each of its days. */
class ResetHistory extends PricedHistory {
  constructor() {
    super(meteredPrices, Date.UTC(2026, 10, 8));
    const october = Date.UTC(2026, 9, 1);
    for (const [day, hours] of [
      [0, 0],
      [9, 9],
      [11, 1],
      [37, 1],
    ] as const) {
      const fields = { created_at: '2026-10-01T00:00:00Z', cpu_used_sec: hours * 3600 };
      this.history.commitOne(projectsReading(october + day * dayMs, [wireProject('p', fields)]));
    }
    const days = Array.from({ length: 31 }, (_, day) => october + day * dayMs).map(fromAt =>
      wireTimeframe(fromAt, fromAt + dayMs, { compute_unit_seconds: 7200 }),
    );
    for (const at of [this.now - dayMs, this.now])
      this.history.commitOne(consumptionReading(at, [wireConsumption('p', days)], { granularity: 'daily' }));
  }
}

test('a counter that was set back unseen hides nothing of what is charged by the meter', async () => {
  using reset = new ResetHistory();
  const cost = await reset.run('report cost --period 2026-10');
  expect([cost.exitCode, cost.stderr]).toEqual([0, '']);
  reset.price(meteredPrices.replace('currency: USD', 'currency: USD\n  ledger: reported'));
  const reported = await reset.run('report cost --period 2026-10');
  expect(reported.stderr).toContain(
    'partial: The counter of project name of p (p) of account main was reset',
  );
});
