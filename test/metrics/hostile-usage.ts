import fc from 'fast-check';
import type { AccountUsage, UsageView } from '../../src/resources/usage/view.ts';
import { sampleBudget, sampleFinding, sampleUse } from '../support/sample-usage.ts';
import { hostileText } from './hostile-view.ts';

const quantity = fc.double({ min: 0, max: 1e15, noNaN: true });

const group = fc.record({ grouping: hostileText, group: hostileText, computeSeconds: quantity });
const project = fc.record({ project_id: hostileText, cost: quantity });
const saving = fc.record({ likely: quantity, most: quantity });
const finding = fc.record({
  project_id: hostileText,
  endpoint_id: hostileText,
  costPerMonth: saving,
});
const branchFinding = fc.record({ project_id: hostileText, costPerMonth: saving });

const use = fc.record({
  account: hostileText,
  currency: hostileText,
  computeSeconds: quantity,
  groups: fc.uniqueArray(group, {
    selector: each => JSON.stringify([each.grouping, each.group]),
    maxLength: 3,
  }),
  projects: fc.uniqueArray(project, { selector: ({ project_id }) => project_id, maxLength: 3 }),
  findings: fc.uniqueArray(finding, {
    selector: each => JSON.stringify([each.project_id, each.endpoint_id]),
    maxLength: 3,
  }),
  branchFindings: fc.uniqueArray(branchFinding, { selector: each => each.project_id, maxLength: 3 }),
});
type HostileUse = typeof use extends fc.Arbitrary<infer Value> ? Value : never;

const budget = fc.record({ budget: hostileText, unit: hostileText, limit: quantity });

/** What is used and costs, where names are what people and services may make of them. */
export const hostileUsage = fc
  .record({
    accounts: fc.uniqueArray(use, { selector: ({ account }) => account, maxLength: 3 }),
    budgets: fc.uniqueArray(budget, { selector: each => each.budget, maxLength: 3 }),
  })
  .map(
    ({ accounts, budgets }): UsageView => ({
      accounts: accounts.map(asUse),
      budgets: budgets.map(each => ({ ...sampleBudget, ...each })),
    }),
  );

function asUse({ account, currency, computeSeconds, ...lists }: HostileUse): AccountUsage {
  const { groups, projects, findings, branchFindings } = lists;
  const owned = { account, currency };
  const sampled = sampleUse.branchFindings ?? [];
  return {
    ...sampleUse,
    ...owned,
    computeSeconds,
    groups: groups.map(each => ({ ...each, ...owned })),
    projects: projects.map(each => ({ ...each, ...owned })),
    findings: findings.map(each => ({ ...sampleFinding, ...each, ...owned })),
    branchFindings: branchFindings.flatMap(each => sampled.map(sample => ({ ...sample, ...each, ...owned }))),
  };
}
