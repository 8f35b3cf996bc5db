import { expect, onTestFinished, test } from 'vitest';
import { loadCheckedConfig } from '../../../src/check/config/loaded-config.ts';
import { UsageReader } from '../../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../../src/report/usage-view/calculator.ts';
import { usageOptionsOf } from '../../../src/report/usage-view/options.ts';
import type { UsageView } from '../../../src/resources/usage/view.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { SmallHistory } from '../small-history.ts';

const bookOf = (plan: string) => `
accounts: [{name: main, base_url: "https://api.example.com/api/v2/", api_key_env: KEY}]
pricing:
  currency: EUR
  plans:
    - name: all
      prices: [{from: 2026-01-01, per_compute_hour: 0.125}]
      ${plan}
  adjustments:
    - {name: VAT, kind: tax, from: 2026-01-01, percent: 10}
groups:
  place:
    us: {regions: ["aws-us-*"]}
budgets:
  - {name: money, account: main, amount: 1000, per: billing}
  - {name: hours, account: main, compute_hours: 100, per: month}
`;

const shards = ['0/3', '1/3', '2/3'];

/** The view of each shard over a copy of the history of all of them, and that of all. */
async function viewEach(life: LivedHistory, plan: string) {
  using small = new SmallHistory();
  const file = small.write('dbpm.yaml', bookOf(plan));
  const warnings: string[] = [];
  const view = async (shard?: string): Promise<UsageView> => {
    const flags = { 'config.file': file, 'history.file': life.folder.file, ...(shard && { shard }) };
    const loaded = await loadCheckedConfig({ flags, env: {}, isOffline: true });
    for (const { key, found } of loaded.warnings) if (key === 'pricing') warnings.push(found);
    const options = usageOptionsOf(loaded.config);
    const reader = new UsageReader(life.folder.file, options.accounts, options.shard);
    onTestFinished(() => reader.close());
    const calculator = new UsageCalculator(options, reader);
    calculator.analyze();
    const { view: found } = calculator.calculate() ?? {};
    if (found === undefined) throw new Error('nothing is known');
    return found;
  };
  const parts = [];
  for (const shard of shards) parts.push(await view(shard));
  return { parts, whole: await view(), warnings };
}

const live = () => {
  const life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, seed: 5, projects: 9, historyDays: 20 });
  life.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
  return life;
};

const sumOf = (parts: readonly UsageView[], read: (view: UsageView) => number | undefined) =>
  parts.reduce((sum, part) => sum + (read(part) ?? Number.NaN), 0);

test('use, cost, forecasts and budgets of shards add up to those of all', async () => {
  using life = live();
  const { parts, whole, warnings } = await viewEach(life, 'included: {compute_hours: 0.5, per: project}');
  expect(warnings).toEqual([]);
  const budget = (view: UsageView, name: string) => view.budgets.find(each => each.budget === name);
  for (const read of [
    (view: UsageView) => view.accounts[0]?.computeSeconds,
    (view: UsageView) => view.accounts[0]?.cost,
    (view: UsageView) => view.accounts[0]?.groups.find(({ group }) => group === 'us')?.cost,
    (view: UsageView) => view.accounts[0]?.projects.length,
    (view: UsageView) => budget(view, 'money')?.usedRatio,
    (view: UsageView) => budget(view, 'hours')?.usedRatio,
    (view: UsageView) => budget(view, 'hours')?.burnRates[1]?.rate,
  ]) {
    expect(read(whole)).toBeGreaterThan(0);
    expect(sumOf(parts, read)).toBeCloseTo(read(whole) ?? 0, 8);
  }
  expect(parts.map(part => part.accounts[0]?.period)).toEqual(parts.map(() => whole.accounts[0]?.period));
});

test('a base fee is of no part of an account: shards show use and no cost, and say so', async () => {
  using life = live();
  const { parts, whole, warnings } = await viewEach(life, 'base_fee: 19');
  expect(whole.accounts[0]?.cost).toBeGreaterThan(19);
  for (const part of parts) {
    expect(part.accounts[0]).not.toHaveProperty('cost');
    expect(part.budgets.map(({ budget }) => budget)).toEqual(['hours']);
  }
  const computeSeconds = (view: UsageView) => view.accounts[0]?.computeSeconds;
  expect(sumOf(parts, computeSeconds)).toBeCloseTo(computeSeconds(whole) ?? 0, 8);
  expect(warnings).toEqual(shards.map(() => 'base_fee of plan all, for all projects of an account together'));
});
