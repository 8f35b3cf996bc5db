import { expect, onTestFinished, test, vi } from 'vitest';
import { createRandom } from '../../src/simulator/model/random.ts';
import { Fraction, sumOf } from '../cost/fraction.ts';
import { askOracle, type OracleLine } from '../oracle/oracle-bill.ts';
import { readFraction } from '../oracle/shown-bill.ts';
import { readCsv } from '../support/csv-reader.ts';
import { sampleValue } from '../support/exposition-reader.ts';
import { describeWithPeers } from '../support/peer.ts';
import { testSeed } from '../support/seed.ts';
import { billedPricing } from './billed-pricing.ts';
import { BilledWorld } from './billed-world.ts';

const seed = testSeed(20261122);
const beganAt = Date.parse('2025-09-01');
const endAt = Date.parse('2025-11-02');
const months = ['2025-09', '2025-10', '2025-11'] as const;

interface CostReport {
  readonly totals: Readonly<Record<string, string>>;
  readonly gaps: readonly {
    readonly kind: string;
    readonly project_id: string;
    readonly compute_hours_at_most: string;
  }[];
}

/** Two billing months and a day: read every other day, with kills, a downtime, resets and deletions. */
async function liveThrough(billed: BilledWorld): Promise<{ readonly lostCuMs: number }> {
  const random = createRandom(seed, 'kills');
  await billed.read();
  for (const name of ['shop-a', 'shop-b', 'jobs-a', 'jobs-b', 'jobs-c']) await billed.addProject(name, 1);
  let lostCuMs = 0;
  for (let day = 0; billed.now < endAt; day += 1) {
    for (let hour = 0; hour < 24; hour += 1) await billed.passHour(0.06);
    const date = new Date(billed.now).toISOString().slice(0, 10);
    if (date === '2025-10-27') lostCuMs = await billed.lose('jobs-b');
    // What is first placed on the wrong side of a month's turn is made up for only by what is used later.
    else if (day % 2 === 0 && !date.endsWith('-01')) continue;
    await billed.read();
    if (date === '2025-10-01') for (const { id } of billed.projects) await billed.reset(id);
    if (date === '2025-10-21') await billed.delete('jobs-c');
    // Nobody watches before the loss, so that how much is lost is the same in every run.
    if (random.chance(0.6) || date === '2025-10-25') await billed.kill();
  }
  await billed.read();
  return { lostCuMs };
}

describeWithPeers(['python3'], 'two billing months of a daemon that is killed', ({ python3 }) => {
  test(`reports, metrics, budgets and closed bills are those of the oracle (TEST_SEED=${seed})`, async () => {
    const budgets = [{ name: 'all', account: 'main', amount: '300', per: 'billing' }];
    const billed = await BilledWorld.start(beganAt, createRandom(seed, 'use'), {
      pricing: billedPricing,
      budgets,
    });
    onTestFinished(() => billed.world.close());
    const { lostCuMs } = await liveThrough(billed);
    const bills = askOracle(
      python3,
      months.map(month => ({
        pricing: billedPricing,
        accounts: ['main'],
        account: 'main',
        at: Date.parse(month),
        as_of: endAt,
        recorded_from: beganAt,
        projects: billed.projects,
        endpoints: [],
        use: billed.use,
      })),
    );
    const shown = bills.map(bill => displayed(bill));
    const [open = Fraction.zero] = shown.slice(-1);
    await vi.waitFor(async () => {
      await billed.read();
      const spent = sampleValue(billed.watch.latest, 'dbpm_budget_spent', { budget: 'all' });
      expect(spent).toBeCloseTo(numberOf(open), 9);
    }, 30_000);
    const total = sampleValue(billed.watch.latest, 'dbpm_account_cost_total');
    await billed.stop();
    expect(billed.kills).toBeGreaterThanOrEqual(10);
    expect(billed.watch.falls).toEqual([]);
    for (const [index, month] of months.entries()) {
      await compareReports(billed, month, bills[index] ?? []);
    }
    // What rounding takes off at the end of a billing period a counter cannot give back.
    const charged = numberOf(sumOf(shown));
    expect(total).toBeGreaterThanOrEqual(charged - 1e-9);
    expect(total).toBeLessThan(charged + 0.03);
    const { gaps } = await readReport(billed, '2025-10');
    const gap = gaps.find(({ kind }) => kind === 'counter_reset');
    expect(gaps.map(({ kind }) => kind).sort()).toEqual(['counter_reset', 'project_deleted']);
    expect(lostCuMs).toBeGreaterThan(0);
    expect(Number(gap?.compute_hours_at_most) * 3_600_000).toBeGreaterThanOrEqual(lostCuMs - 18_000);
    const before = await readReport(billed, '2025-09');
    expect((await billed.ask('close', '--period', 'billing:2025-09')).code).toBe(0);
    expect((await readReport(billed, '2025-09')).totals).toEqual(before.totals);
  }, 600_000);
});

async function readReport(billed: BilledWorld, month: string): Promise<CostReport> {
  const { stdout } = await billed.ask(
    'report',
    'cost',
    '--period',
    `billing:${month}`,
    '--by',
    'project',
    '--format',
    'json',
  );
  return JSON.parse(stdout) as CostReport;
}

async function compareReports(
  billed: BilledWorld,
  month: string,
  bill: readonly OracleLine[],
): Promise<void> {
  const { totals } = await readReport(billed, month);
  const cuMs = (key: 'included' | 'billed') => bill.reduce((sum, line) => sum + (line[key] ?? 0), 0);
  expect({ month, cost: totals.cost, used: totals.used_hours }).toEqual({
    month,
    cost: cents(displayed(bill)),
    used: cents(new Fraction(BigInt(cuMs('included') + cuMs('billed')), 3_600_000n)),
  });
  const { rows: focus } = readCsv(
    (await billed.ask('report', 'cost', '--period', `billing:${month}`, '--format', 'focus')).stdout,
  );
  const taxes = focus.filter(({ ChargeCategory }) => ChargeCategory === 'Tax');
  const taxed = sumOf(taxes.map(row => Fraction.of(row.BilledCost ?? '')));
  expect(shownTo9(taxed)).toBe(shownTo9(charged(bill, line => line.kind === 'tax')));
  const all = sumOf(focus.map(row => Fraction.of(row.BilledCost ?? '')));
  expect(shownTo9(all)).toBe(shownTo9(charged(bill, () => true)));
}

const charged = (bill: readonly OracleLine[], isMeant: (line: OracleLine) => boolean) =>
  sumOf(bill.filter(isMeant).map(({ amount = '0' }) => readFraction(amount)));
const displayed = (bill: readonly OracleLine[]) =>
  sumOf(bill.map(({ display_amount = '0' }) => readFraction(display_amount)));
/** Quantities of FOCUS have twelve decimals. */
const shownTo9 = (amount: Fraction) => amount.rounded(9).toString();
const numberOf = ({ top, bottom }: Fraction) => Number(top) / Number(bottom);
const cents = (amount: Fraction) => (Number(amount.rounded(2).times(Fraction.of(100)).top) / 100).toFixed(2);
