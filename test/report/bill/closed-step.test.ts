import { expect, test } from 'vitest';
import { ClosedHistory, usualPrices } from './closed-history.ts';

const free = `
pricing:
  currency: USD
  plans:
    - name: scale
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
      included: {compute_hours: 200, per: project}
`;
const unpriced = `
pricing:
  currency: USD
  plans:
    - name: scale
      match: {projects: [other]}
      prices: [{from: 2026-01-01, per_compute_hour: 0.16}]
`;

/** A closed October of 90 hours, of which 12 more are known by now. */
async function closedHistory(prices = usualPrices): Promise<ClosedHistory> {
  const world = new ClosedHistory();
  world.price(prices);
  expect(await world.run('close --period billing:2026-10 --anyway')).toMatchObject({ exitCode: 0 });
  world.findLater();
  return world;
}

async function totalsOf(world: ClosedHistory, line: string) {
  const { totals } = JSON.parse((await world.run(`report cost ${line} --format json`)).stdout);
  return [totals.cost, totals.used_hours, totals.included_hours, totals.billed_hours, totals.unpriced_hours];
}

const forms = ['', ' --by endpoint', ' --by region', ' --step day', ' --step week', ' --step month'];

test('the cost and hours of a closed period are the same in all forms of a report', async () => {
  using world = await closedHistory();
  for (const form of forms) {
    const october = await totalsOf(world, `--period billing:2026-10${form}`);
    expect(october, form).toEqual(['15.00', '90.00', '0.00', '90.00', '0.00']);
    const both = await totalsOf(world, `--period 2026-10..2026-11${form}`);
    expect(both, form).toEqual(['16.32', '90.00', '0.00', '90.00', '0.00']);
  }
});

test('the cost and hours of one project in a closed period are the same in all forms of a report', async () => {
  using world = await closedHistory();
  for (const form of forms) {
    const october = await totalsOf(world, `--period billing:2026-10 --project main/p-shop${form}`);
    expect(october, form).toEqual(['14.40', '90.00', '0.00', '90.00', '0.00']);
    const both = await totalsOf(world, `--period 2026-10..2026-11 --project main/p-shop${form}`);
    expect(both, form).toEqual(['14.40', '90.00', '0.00', '90.00', '0.00']);
  }
  const days = await world.costs('--period billing:2026-10 --project main/p-shop --step day');
  expect(days.filter(row => row.startsWith('(') || row.startsWith('total'))).toEqual([
    '(found later for 2026-10) -1.92',
    'total 14.40',
  ]);
});

test('hours that cost nothing are the same in all forms, too', async () => {
  for (const [prices, hours] of [
    [free, ['0.00', '90.00', '90.00', '0.00', '0.00']],
    [unpriced, [null, '90.00', '0.00', '0.00', '90.00']],
  ] as const) {
    using world = await closedHistory(prices);
    for (const project of ['', ' --project main/p-shop'])
      for (const form of forms)
        expect(await totalsOf(world, `--period billing:2026-10${project}${form}`), form).toEqual(hours);
  }
});

test('what was found later of a project is taken off its own share of the charges', async () => {
  using world = await closedHistory();
  expect(await world.costs('--period billing:2026-10 --share')).toEqual(['p-shop 15.00', 'total 15.00']);
  const days = await world.costs('--period billing:2026-10 --share --step day');
  // The first day has its use, the minimum charge, and what was found later.
  expect(days).toEqual([
    'p-shop 0.96',
    'p-shop 2.52',
    'p-shop 3.84',
    'p-shop 3.84',
    'p-shop 3.84',
    'total 15.00',
  ]);
});

test('a report of use says that it has what was found later of a closed period', async () => {
  using world = await closedHistory();
  const { stdout } = await world.run('report usage --period billing:2026-10 --format json');
  const { totals, notes } = JSON.parse(stdout);
  expect(totals.compute_hours).toBe('102.00');
  expect(notes).toContain(
    'Billing period 2026-10 of account main is closed, and this report has its use as it is known now. report cost --period billing:2026-10 has the lines of the bill.',
  );
});
