import type { UsageOptions } from '../../src/report/usage-view/options.ts';
import { usualFindingRules } from '../../src/resources/finding-rule.ts';

/** How use is looked at where a test does not say it: one account, in UTC, without prices, groups and budgets. */
export const usualUsage: UsageOptions = {
  historyFile: '',
  accounts: ['main'],
  zone: 'UTC',
  refreshMs: 60_000,
  anomalyComputeSeconds: 3600,
  anomalyBytes: 1e10,
  anomalyBranches: 10,
  groupings: [],
  budgets: [],
  findings: usualFindingRules,
};
