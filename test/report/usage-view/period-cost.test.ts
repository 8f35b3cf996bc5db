import { expect, test } from 'vitest';
import { dayMs, hourMs } from '../../../src/resources/duration.ts';
import { LivedHistory } from '../../support/lived-history.ts';
import { consumptionReading, wireConsumption, wireTimeframe } from '../../support/meter-builder.ts';
import { workOutUsage } from '../../support/worked-out-usage.ts';
import { SmallHistory } from '../small-history.ts';

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

/** The bill of these compute seconds. */
const billOf = (computeSeconds: number) => ((computeSeconds / 3600) * 0.125 + 19 - 5) * 1.1;

test('the cost of the billing period so far has the charges that its report, budget and forecast have', async () => {
  using small = new SmallHistory();
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, seed: 5, projects: 8, historyDays: 20 });
  life.watch(6 * 3600, { listEverySeconds: 900, projectsEvery: 2 });
  const { file } = life.folder;
  const view = await workOutUsage(small.write('dbpm.yaml', charged), file);
  const { account, cost, computeSeconds = 0, forecast, groups, knownUntilAt = 0 } = view?.accounts[0] ?? {};
  const [budget] = view?.budgets ?? [];
  expect([account, computeSeconds > 0]).toEqual(['main', true]);
  expect(view?.accounts[0]).not.toHaveProperty('lineCosts');
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

const stored = `
pricing:
  currency: EUR
  ledger: reported
  meter: {unit: hour}
  plans:
    - name: all
      prices: [{from: 2026-01-01, per_compute_hour: 0.125}]
      metered: [{metric: root_branch_bytes_month, price: 1}]
budgets:
  - {name: all, account: main, amount: 1000, per: billing}
`;

test('cost, budget and forecast are of the whole bill where storage has a price', async () => {
  using small = new SmallHistory();
  using life = new LivedHistory({ now: Date.UTC(2026, 9, 20) / 1000, seed: 5, projects: 2, historyDays: 20 });
  life.watch(3600, { listEverySeconds: 1800, projectsEvery: 1 });
  // A GB-month a day.
  const days = Array.from({ length: 19 }, (_, index) => {
    const fromAt = Date.UTC(2026, 9, 1 + index);
    return wireTimeframe(fromAt, fromAt + dayMs, { root_branch_bytes_month: 744e9 });
  });
  const at = Date.UTC(2026, 9, 20, 1);
  const [project_id = ''] = life.account.projects.keys();
  for (const granularity of ['monthly', 'hourly'] as const)
    life.history.commitOne(consumptionReading(at - hourMs, [], { granularity }));
  for (const readAt of [at - hourMs, at]) {
    const wire = [wireConsumption(project_id, days)];
    life.history.commitOne(consumptionReading(readAt, wire, { granularity: 'daily' }));
  }
  const view = await workOutUsage(small.write('dbpm.yaml', stored), life.folder.file);
  const { cost = 0, computeSeconds = 0, forecast, costTotal, lineCosts, projects } = view?.accounts[0] ?? {};
  const [budget] = view?.budgets ?? [];
  expect(cost).toBeCloseTo((computeSeconds / 3600) * 0.125 + 19, 9);
  const lines = Object.fromEntries(lineCosts?.map(({ line, cost }) => [line, cost]) ?? []);
  expect(lines).toEqual({ compute: expect.closeTo((computeSeconds / 3600) * 0.125, 9), storage: 19 });
  const storing = projects?.find(project => project.project_id === project_id);
  expect(storing?.lineCosts).toContainEqual({ line: 'storage', cost: 19 });
  expect(
    projects?.flatMap(({ lineCosts }) => lineCosts ?? []).reduce((sum, { cost }) => sum + cost, 0),
  ).toBeCloseTo(cost, 9);
  // Compute is known from the last hours of September on.
  expect(costTotal).toBeGreaterThanOrEqual(cost);
  expect(budget?.spent).toBe(cost);
  const expected = ((forecast?.computeSeconds.expected ?? 0) / 3600) * 0.125 + 31;
  expect(forecast?.cost?.expected).toBeCloseTo(expected, 4);
  expect(budget?.projected).toBeCloseTo(expected, 4);
});
