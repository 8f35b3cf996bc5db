import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readCsv } from '../support/csv-reader.ts';
import { findFocusFaults } from '../support/focus-validator.ts';
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
`);
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
  expect(storage.map(row => row.cost)).toEqual(Array.from({ length: 10 }, () => '0.02'));
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

test('a project that nothing but the meter tells of is not counted among those that were there', async () => {
  const counted = '      counted: [{name: projects, of: projects, price: 1, count: peak}]\n';
  world.price(meteredPrices + counted);
  const { stdout } = await world.run(`report cost --by line ${october}`);
  world.price(meteredPrices);
  expect(stdout).toMatch(/^main {5}projects .* 1\.00 {2}projects .* 1\.00$/m);
});

test('why tells how much more of a thing was metered', async () => {
  // Five days with both projects, and ten without the one that went.
  const { stdout } = await world.run(
    'report why --period 2026-10-06..2026-10-15 --against 2026-10-11..2026-10-20',
  );
  expect(stdout).toContain('root branch storage (launch)');
});

test('a closed bill keeps what was metered, and a later price from a later date leaves it as it was', async () => {
  expect((await world.run(`close ${october}`)).stdout).toContain('is closed: 22.61 USD');
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
