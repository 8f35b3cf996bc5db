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

test('charges of a closed period are those of its bill in all forms of a report, and use alone is taken off', async () => {
  using world = await closedHistory(
    `${usualPrices}      base_fee: 19\n  rounding: {decimals: 1}\n  adjustments: [{name: VAT, kind: tax, from: 2026-01-01, percent: 19}]\n`,
  );
  const linesOf = async (form: string): Promise<Record<string, number>> => {
    const { stdout } = await world.run(`report cost --period billing:2026-10 --by line${form} --format json`);
    const { rows }: { rows: readonly { readonly line: string; readonly cost: string }[] } =
      JSON.parse(stdout);
    const sums = new Map<string, number>();
    for (const { line, cost } of rows) sums.set(line, (sums.get(line) ?? 0) + 100 * Number(cost));
    return Object.fromEntries([...sums].map(([line, cents]) => [line, Math.round(cents) / 100]));
  };
  const charges = { 'base fee': 19, 'minimum charge': 0.6, VAT: 6.5 };
  expect(await linesOf('')).toEqual({ ...charges, compute: 14.4 });
  for (const form of [' --step day', ' --step week'])
    expect(await linesOf(form), form).toEqual({
      ...charges,
      ...{ compute: 16.32, 'found later for 2026-10': -1.92 },
    });
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
