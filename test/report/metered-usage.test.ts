import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { MeteredHistory, meteredPrices } from './bill/metered-history.ts';

let world: MeteredHistory;
beforeAll(() => {
  world = new MeteredHistory();
});
afterAll(() => world[Symbol.dispose]());

const october = '--period billing:2026-10';

test('usage has what was metered beside what is reported, and says what each figure is from', async () => {
  expect(await world.run(`report usage ${october}`)).toEqual({
    exitCode: 0,
    stderr: '',
    stdout: `Usage by project, billing:2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC)

account  project  name  compute hours  share %  at least  at most  awake hours  starts  metered hours  storage GB-months  transfer GB  extra branch-months
-------  -------  ----  -------------  -------  --------  -------  -----------  ------  -------------  -----------------  -----------  -------------------
main     p-shop   shop          90.00    100.0      0.00     0.00         0.00       0         100.75              4.500      217.000               12.000
main     p-gone                                                                                                    0.645
-------  -------  ----  -------------  -------  --------  -------  -----------  ------  -------------  -----------------  -----------  -------------------
total                           90.00    100.0      0.00     0.00         0.00       0         100.75              5.145      217.000               12.000

- Compute hours are what the service counted (cpu_used_sec); at least and at most are the hours that follow from what the endpoints did and their sizes.
- Metered hours, storage GB-months, transfer GB and extra branch-months are what the meter of the service says, before anything is free of charge.
- Storage is that of branches, instant restore and snapshots together, and transfer is public and private: csv and json have each by itself.
`,
  });
});

test('programs read each kind of storage and transfer, and nothing where the meter told nothing', async () => {
  const { rows } = readCsv((await world.run(`report usage ${october} --format csv`)).stdout);
  expect(rows[0]).toMatchObject({
    ...{ metered_root_branch_gb_months: '2.000', metered_child_branch_gb_months: '0.500' },
    ...{ metered_instant_restore_gb_months: '1.000', metered_snapshot_gb_months: '1.000' },
    ...{ metered_public_transfer_gb: '155.000', metered_private_transfer_gb: '62.000' },
  });
  expect(rows[1]).toMatchObject({
    ...{ compute_hours: '', awake_hours: '', starts: '', metered_compute_hours: '' },
    ...{ metered_root_branch_gb_months: '0.645', metered_transfer_gb: '' },
  });
});

test('what is stored or transferred is no endpoint’s, and steps have their own part of it', async () => {
  const { rows } = readCsv(
    (await world.run('report usage --period 2026-10 --by endpoint --step week --format csv')).stdout,
  );
  const last = rows.filter(({ step }) => step === '2026-10-26');
  expect(last.map(row => [row.endpoint_id, row.metered_compute_hours, row.metered_transfer_gb])).toEqual([
    ['(not told)', '19.50', '42.000'],
  ]);
});

test('the units are those that the price book counts in', async () => {
  world.price(meteredPrices.replace('meter: {unit: hour}', 'meter: {unit: hour, gigabyte: binary}'));
  const { stdout } = await world.run(`report usage ${october} --by account --format csv`);
  world.price(meteredPrices);
  expect(readCsv(stdout).rows[0]).toMatchObject({
    metered_storage_gib_months: '4.792',
    metered_transfer_gib: '202.097',
  });
});

test('the end of the meter is told, as what was metered since may grow', async () => {
  const { stdout } = await world.run('report usage --period 2026-10-20..2026-11-07');
  expect(stdout).toContain('- What was metered of account main after 2026-11-01 00:00 may still grow.\n');
});
