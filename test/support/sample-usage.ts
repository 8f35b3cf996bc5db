import type { PricedFinding } from '../../src/resources/finding.ts';
import type { AccountUsage, BudgetUsage, UsageView } from '../../src/resources/usage/view.ts';

const startAt = Date.UTC(2026, 0, 1);
const untilAt = Date.UTC(2026, 1, 1);
const hour = 3_600_000;

export const sampleFinding: PricedFinding = {
  kind: 'woken_on_period',
  account: 'main',
  project_id: 'shop',
  endpoint_id: 'ep-1',
  hoursPerMonth: { likely: 15, most: 25 },
  evidence: 'it is woken every 5 minutes',
  advice: 'ask it less often',
  currency: 'EUR',
  costPerMonth: { likely: 2.4, most: 4 },
};

/** An account whose use, cost and future are all known. */
export const sampleUse: AccountUsage = {
  account: 'main',
  currency: 'EUR',
  knownUntilAt: startAt + 10.5 * hour,
  period: { fromAt: startAt, untilAt },
  computeSeconds: 9000,
  unattributedComputeSeconds: 240,
  cost: 0.4,
  unpricedComputeSeconds: 600,
  unpricedComputeSecondsTotal: 1500,
  costTotal: 12.75,
  lineCosts: [
    { line: 'compute', cost: 0.25 },
    { line: 'storage', cost: 0.1 },
    { line: 'base_fee', cost: 0.05 },
  ],
  reconstruction: {
    reportedComputeSeconds: 3600,
    lowerComputeSeconds: 3000,
    upperComputeSeconds: 4000,
  },
  forecast: {
    computeSeconds: { expected: 500_000, low80: 450_000, high80: 560_000, low95: 400_000, high95: 620_000 },
    cost: { expected: 22.5, low80: 20.25, high80: 25, low95: 18, high95: 28 },
    quality: { meanError: 0.05, runRateMeanError: 0.125, coverage80: 0.8 },
  },
  groups: [
    {
      account: 'main',
      grouping: 'team',
      group: 'web',
      currency: 'EUR',
      computeSeconds: 6000,
      cost: 0.3,
      lineCosts: [{ line: 'compute', cost: 0.3 }],
    },
    {
      account: 'main',
      grouping: 'team',
      group: 'ungrouped',
      currency: 'EUR',
      computeSeconds: 3000,
      cost: 0.1,
    },
  ],
  projects: [
    {
      account: 'main',
      project_id: 'shop',
      currency: 'EUR',
      cost: 0.3,
      lineCosts: [
        { line: 'compute', cost: 0.2 },
        { line: 'transfer', cost: 0.1 },
      ],
      anomalyComputeSeconds: 5400,
      anomalyMetered: {
        public_network_transfer_bytes: 64e9,
        root_branch_bytes_month: 20e9,
        extra_branches_month: 12,
      },
    },
    { account: 'main', project_id: 'blog', currency: 'EUR', cost: 0.1 },
  ],
  findings: [sampleFinding],
  branchFindings: [
    {
      kind: 'branch_sprawl',
      account: 'main',
      project_id: 'shop',
      unusedBranches: 7,
      evidence: '7 of its 9 branches look forgotten',
      advice: 'delete them',
      currency: 'EUR',
      costPerMonth: { likely: 10.5, most: 14 },
    },
  ],
  doneFindings: [
    {
      kind: 'idle_tail',
      account: 'main',
      project_id: 'blog',
      endpoint_id: 'ep-2',
      doneAt: startAt - 20 * 24 * hour,
      measuredFromAt: startAt - 19 * 24 * hour,
      claimedHoursPerMonth: { likely: 12, most: 14 },
      computeHoursPerMonth: 11,
      evidence: 'it waits five minutes for auto-suspend',
      currency: 'EUR',
      costPerMonth: 1.76,
    },
  ],
};

export const sampleBudget: BudgetUsage = {
  budget: 'web',
  unit: 'EUR',
  period: { fromAt: startAt, untilAt },
  limit: 40,
  spent: 10,
  usedRatio: 0.25,
  projected: 50,
  projectedBounds: { low80: 45, high80: 56, low95: 42, high95: 60 },
  thresholds: { spent: [0.5, 0.8, 1], projected: [1, 1.125] },
  exhaustedAt: startAt + 600 * hour,
  burnRates: [
    { window: '1h', rate: 1.5 },
    { window: '6h', rate: 0.5 },
    { window: '1d', rate: 1.125 },
    { window: '3d', rate: 1.25 },
  ],
};

export const sampleUsage: UsageView = { accounts: [sampleUse], budgets: [sampleBudget] };

/** An account that is known by its use alone. */
export const bareUse: AccountUsage = {
  account: 'main',
  knownUntilAt: startAt,
  period: { fromAt: startAt, untilAt },
  computeSeconds: 0,
  unattributedComputeSeconds: 0,
  groups: [],
  projects: [],
};

/** The use of one account, with these fields beside `bareUse`. */
export function withUse(use: Partial<AccountUsage>): UsageView {
  return { accounts: [{ ...bareUse, ...use }], budgets: [] };
}

/** One budget that differs so from the sample. */
export function withBudget(budget: Partial<BudgetUsage>): UsageView {
  return { accounts: [], budgets: [{ ...sampleBudget, ...budget }] };
}
