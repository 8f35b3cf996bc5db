import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../../support/csv-reader.ts';
import { findFocusFaults } from '../../support/focus-validator.ts';
import { MeteredHistory, meteredPrices } from './metered-history.ts';

let world: MeteredHistory;
beforeAll(() => {
  world = new MeteredHistory();
});
afterAll(() => world[Symbol.dispose]());

const october = '--period billing:2026-10';

// 100.75 hours at 0.106, 2.645 GB-months at 0.35, 0.5 at 0.35, 1 at 0.2, 55 GB at 0.1, 62 at 0.01, 3 branch-months at 1.5.
test('a bill has a line for each thing that is metered, and says by which ledger compute is', async () => {
  const { stdout, exitCode } = await world.run(`report cost --by line ${october}`);
  expect(exitCode).toBe(0);
  expect(stdout).toBe(`Cost by line, billing:2026-10: 2026-10-01 00:00 to 2026-11-01 00:00 (UTC), in USD

account  line                      plan    tier  quantity  unit          included  price       cost
-------  ------------------------  ------  ----  --------  ------------  --------  ---------  -----
main     compute                   launch          100.75  compute-hour            0.106 USD  10.68
main     public transfer           launch           55.00  GB              100.00  0.1 USD     5.50
main     extra branches            launch            3.00  branch-month            1.5 USD     4.50
main     root branch storage       launch            2.65  GB-month                0.35 USD    0.93
main     private network transfer  launch           62.00  GB                      0.01 USD    0.62
main     instant restore           launch            1.00  GB-month                0.2 USD     0.20
main     child branch storage      launch            0.50  GB-month                0.35 USD    0.17
main     rounding                                                                              0.01
-------  ------------------------  ------  ----  --------  ------------  --------  ---------  -----
total                                                                                         22.61

- Compute of account main is by the meter of the service.
- Metered, but without a price, so that the cost is without it: snapshot storage (1.000 GB-month).
`);
});

test('what has no price for a part of the period is named with that part', async () => {
  const transfer = '{metric: private_network_transfer_bytes, price: 0.01';
  world.price(meteredPrices.replace(transfer, `${transfer}, to: 2026-10-11`));
  const cost = await world.run(`report cost ${october}`);
  world.price(meteredPrices);
  expect(cost.exitCode).toBe(0);
  expect(cost.stdout).toContain(
    '- Metered, but without a price, so that the cost is without it: snapshot storage (1.000 GB-month), private network transfer (42.000 GB).\n',
  );
});

test('a project that no plan is for has nothing priced, and a price of 0 is one', async () => {
  const free = '        - {metric: snapshot_storage_bytes_month, price: 0}\n';
  world.price(
    `${meteredPrices.replace('- name: launch', '- name: launch\n      match: {projects: [p-shop]}')}${free}`,
  );
  const { stdout } = await world.run(`report cost ${october}`);
  world.price(meteredPrices);
  expect(stdout).toContain('so that the cost is without it: root branch storage (0.645 GB-month).\n');
});

test('what is metered belongs to its project and its day, also of one that nothing else tells of', async () => {
  const { rows } = readCsv((await world.run(`report cost ${october} --format csv`)).stdout);
  expect(rows.map(row => `${row.project_id} ${row.cost} ${row.used_hours}`)).toEqual([
    'p-shop 22.37 100.75',
    'p-gone 0.23 0.00',
    '(rounding) 0.01 0.00',
  ]);
  const days = readCsv((await world.run('report cost --period 2026-10 --step day --format csv')).stdout);
  const storage = days.rows.filter(row => row.project_id === 'p-gone');
  const cents = Array.from({ length: 10 }, (_, day) => (day < 3 ? '0.03' : '0.02'));
  expect(storage.map(row => row.cost)).toEqual(cents);
  const whole = readCsv((await world.run('report cost --period 2026-10 --format csv')).stdout);
  expect(whole.rows.find(row => row.project_id === 'p-gone')?.cost).toBe('0.23');
});

test('rows of FOCUS have what is metered with its quantity, unit and price', async () => {
  const { header, rows } = readCsv((await world.run(`report cost ${october} --format focus`)).stdout);
  expect(findFocusFaults(header, rows)).toEqual([]);
  const transfer = rows.find(row => row.ChargeDescription?.startsWith('public transfer'));
  expect(transfer).toMatchObject({
    ...{ ChargeCategory: 'Usage', ChargeFrequency: 'Usage-Based', ResourceId: 'p-shop' },
    ...{ ConsumedUnit: 'GB', PricingUnit: 'GB', ListUnitPrice: '0.1' },
    ChargeDescription: 'public transfer of project shop by plan launch',
  });
  expect([transfer?.ConsumedQuantity, transfer?.PricingQuantity, transfer?.BilledCost].map(Number)).toEqual([
    155, 55, 5.5,
  ]);
});

const invoice = `Description,Quantity,Unit price,Amount
Compute (CU-hours),100.75,0.106,10.68
Root branch storage (GB-months),2.65,0.35,0.93
Child branch storage (GB-months),0.50,0.35,0.18
Instant restore (GB-months),1.00,0.20,0.20
Public transfer (GB),55,0.10,5.50
Private network transfer (GB),62,0.01,0.62
Extra branches (branch-months),3.00,1.50,4.50
`;

async function reconcile(text: string) {
  const path = join(world.folder.path, 'invoice.csv');
  writeFileSync(path, text);
  return world.run(`reconcile --invoice ${path} ${october} --format csv`);
}

test('an invoice with storage, transfer and branches is what was worked out, line by line', async () => {
  const { exitCode, stdout } = await reconcile(`${invoice}Total,,,22.61\n`);
  const { rows } = readCsv(stdout);
  expect(exitCode).toBe(0);
  expect(rows.map(row => row.item).sort()).toEqual([
    'Child branch storage (GB-months)',
    'Compute (CU-hours)',
    'Extra branches (branch-months)',
    'Instant restore (GB-months)',
    'Private network transfer (GB)',
    'Public transfer (GB)',
    'Root branch storage (GB-months)',
    'rounding',
  ]);
});

test('a line of an invoice with more than was metered differs by its quantity', async () => {
  const { exitCode, stdout } = await reconcile(invoice.replace(',55,0.10,5.50', ',155,0.10,15.50'));
  const row = readCsv(stdout).rows.find(({ item }) => item === 'Public transfer (GB)');
  expect({ exitCode, ...row }).toMatchObject({ exitCode: 3, invoiced: '15.50', quantity: '10.00' });
});

test('another ledger of compute can be chosen, and what is metered stays', async () => {
  world.price(meteredPrices.replace('currency: USD', 'currency: USD\n  ledger: reported'));
  const { stdout } = await world.run(`report cost --by line ${october}`);
  world.price(meteredPrices);
  expect(stdout).toMatch(/^main {5}compute {19}launch {11}90\.00 /m);
  expect(stdout).toMatch(/^main {5}public transfer .* 5\.50$/m);
  expect(stdout).toContain('- Compute of account main is by what the service reported.\n');
});

const byMeter = 'Compute of account main is by the meter of the service';

test('every report with money of compute says by which ledger that is', async () => {
  expect((await reconcile(`${invoice}Total,,,22.61\n`)).stdout).not.toContain(byMeter);
  const asked = [
    `reconcile --invoice ${join(world.folder.path, 'invoice.csv')} ${october}`,
    `report cost --by group --grouping team ${october}`,
    `report showback --grouping team ${october} --format markdown`,
    `report why ${october} --against 2026-10-01..2026-10-15`,
  ];
  world.price(`${meteredPrices}groups:\n  team:\n    web: {projects: [shop]}\n`);
  for (const line of asked) expect((await world.run(line)).stdout).toContain(`- ${byMeter}.\n`);
  world.price(meteredPrices);
});

test('a page for a group has a line for each thing that is metered', async () => {
  world.price(`${meteredPrices}groups:\n  team:\n    web: {projects: [shop]}\n`);
  const { stdout } = await world.run(`report showback --group team/web ${october} --format markdown`);
  world.price(meteredPrices);
  expect(stdout).toContain(`| compute | 10.68 |
| root branch storage | 0.70 |
| child branch storage | 0.17 |
| instant restore | 0.20 |
| public transfer | 5.50 |
| private network transfer | 0.62 |
| extra branches | 4.50 |
`);
  expect(stdout).toContain('| project | id | compute hours | cost of use |');
});

test('where two periods are by other ledgers, each is told', async () => {
  const { stdout } = await world.run(
    'report why --period 2026-11-01..2026-11-07 --against 2026-10-01..2026-10-07',
  );
  expect(stdout).toContain(`- ${byMeter.replace('main', 'main in 2026-10-01 to 2026-10-06')}.\n`);
  expect(stdout).toContain(
    '- Compute of account main in 2026-11-01 to 2026-11-06 is by the larger of what the service reported and what its meter told so far.\n',
  );
  const cheaper = join(world.folder.path, 'cheaper.yaml');
  writeFileSync(cheaper, meteredPrices.replace('currency: USD', 'currency: USD\n  ledger: reported'));
  const compared = await world.run(`report cost ${october} --what-if ${cheaper}`);
  expect(compared.stdout).toContain(`- ${byMeter.replace('main', 'main as configured')}.\n`);
  expect(compared.stdout).toContain(
    '- Compute of account main under the other price book is by what the service reported.\n',
  );
});

test('rows of FOCUS name the ledgers of their compute, and none where they are of something else', async () => {
  const ledgersOf = async (period: string) => {
    const { rows } = readCsv((await world.run(`report cost --period ${period} --format focus`)).stdout);
    return new Set(rows.map(row => `${row.SkuId?.split('/')[0]} ${row.x_ComputeLedger}`));
  };
  expect([...(await ledgersOf('2026-10'))].sort()).toEqual([' ', 'compute metered', 'metered ']);
  world.price(meteredPrices.replace('currency: USD', 'currency: USD\n  ledger: reported'));
  const reported = await ledgersOf('2026');
  world.price(meteredPrices);
  expect([...reported].sort()).toEqual([' ', 'compute reported', 'metered ']);
});

test('a project that nothing but the meter tells of is not counted among those that were there', async () => {
  const counted = '      counted: [{name: projects, of: projects, price: 1, count: peak}]\n';
  world.price(meteredPrices + counted);
  const { stdout } = await world.run(`report cost --by line ${october}`);
  world.price(meteredPrices);
  expect(stdout).toMatch(/^main {5}projects .* 1\.00 {2}projects .* 1\.00$/m);
});

test('why tells how much more of a thing was metered, and of which project', async () => {
  // Five days with both projects, and ten without the one that went.
  const { stdout } = await world.run(
    'report why --period 2026-10-06..2026-10-15 --against 2026-10-11..2026-10-20',
  );
  expect(stdout).toContain(`root branch storage (launch)        0.11
    0.9 GB-month instead of 0.58 GB-month
· p-gone                            0.11
    0.32 GB-month instead of 0 GB-month
`);
});

test('a closed bill keeps what was metered, and a later price from a later date leaves it as it was', async () => {
  const closed = await world.run(`close ${october}`);
  expect(closed.stdout).toContain('is closed: 22.61 USD');
  expect(closed.stdout).toContain(`\n${byMeter}.\n`);
  const later = '[{from: 2026-01-01, price: 0.35}, {from: 2026-11-01, price: 0.5}]';
  world.price(
    meteredPrices.replace('root_branch_bytes_month, price: 0.35', `root_branch_bytes_month, price: ${later}`),
  );
  expect((await world.run(`report cost --by line ${october}`)).stdout).toMatch(/^total +22\.61$/m);
  world.price(
    meteredPrices.replace('root_branch_bytes_month, price: 0.35', 'root_branch_bytes_month, price: 0.5'),
  );
  const refused = await world.run('check-config');
  expect(refused.stderr + refused.stdout).toContain('price of 0.5 where 0.35 held');
});

test('a closed bill says by which ledger it was when it was closed', async () => {
  world.price(meteredPrices);
  const { stdout } = await world.run('report cost --period 2026-10-01..2026-11-03');
  expect(stdout).toContain(
    '- Compute of the closed billing period 2026-10 of account main is by the meter of the service.\n',
  );
  expect(stdout).toContain(
    '- Compute of account main is by the larger of what the service reported and what its meter told so far from 2026-11-01 00:00 to 2026-11-03 00:00.\n',
  );
});
