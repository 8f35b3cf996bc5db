import { expect, onTestFinished, test } from 'vitest';
import { loadCheckedConfig } from '../../src/check-config/loaded-config.ts';
import { UsageReader } from '../../src/history/usage/usage-history.ts';
import { UsageCalculator } from '../../src/usage/calculator.ts';
import { usageOptionsOf } from '../../src/usage/options.ts';
import { SmallHistory } from '../report/small-history.ts';
import { LivedHistory } from '../support/lived-history.ts';

const charged = `
pricing:
  currency: EUR
  plans:
    - name: all
      prices: [{from: 2026-01-01, per_compute_hour: 0.125}]
      base_fee: 19
  adjustments:
    - {name: startup credit, kind: credit, on: 2026-10-02, amount: 5}
    - {name: VAT, kind: tax, from: 2026-01-01, percent: 10}
groups:
  place:
    us: {regions: ["aws-us-*"]}
budgets:
  - {name: all, account: main, amount: 1000, per: billing}
`;

/** The bill of so many compute seconds. */
const billOf = (computeSeconds: number) => ((computeSeconds / 3600) * 0.125 + 19 - 5) * 1.1;

async function viewOf(configFile: string, historyFile: string) {
  const flags = { 'config.file': configFile, 'history.file': historyFile };
  const { config } = await loadCheckedConfig({ flags, env: {}, isOffline: true });
  const options = { ...usageOptionsOf(config), accounts: ['main'] };
  const reader = new UsageReader(historyFile, options.accounts);
  onTestFinished(() => reader.close());
  const calculator = new UsageCalculator(options, reader);
  calculator.analyze();
  return calculator.calculate()?.view;
}

test('the cost of the billing period so far has the charges that its report, budget and forecast have', async () => {
  using small = new SmallHistory();
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, seed: 5, projects: 8, historyDays: 20 });
  life.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
  const { file } = life.folder;
  const view = await viewOf(small.write('dbpm.yaml', charged), file);
  const { account, cost, computeSeconds = 0, forecast, groups, knownUntilAt = 0 } = view?.accounts[0] ?? {};
  const [budget] = view?.budgets ?? [];
  expect([account, computeSeconds > 0]).toEqual(['main', true]);
  expect(cost).toBeCloseTo(billOf(computeSeconds), 9);
  const { stdout } = await small.report('cost --period billing --format json', { now: knownUntilAt, file });
  expect(JSON.parse(stdout).totals.cost).toBe(cost?.toFixed(2));
  expect(budget?.spent).toBe(cost);
  expect(forecast?.computeSeconds.expected).toBeGreaterThan(computeSeconds);
  expect(forecast?.cost?.expected).toBeCloseTo(billOf(forecast?.computeSeconds.expected ?? 0), 4);
  expect(budget?.projected).toBeCloseTo(forecast?.cost?.expected ?? 0, 4);
  const ofGroups = groups?.reduce((sum, { cost = 0 }) => sum + cost, 0);
  expect(ofGroups).toBeCloseTo((computeSeconds / 3600) * 0.125, 9);
});
