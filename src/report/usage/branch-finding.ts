import { reviewBranches } from '../../cost/finding/branch-review.ts';
import { compact } from '../../resources/field.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { PricedBranchFinding } from '../../resources/usage/view.ts';
import type { AccountSpan } from './account-span.ts';
import { savingNumbers } from './finding-view.ts';
import { findingRulesOf } from './options.ts';
import { type AnalyzedSnapshot, type Money, rememberFindings } from './remembered-finding.ts';

/** Projects of the account with many unused branches; undefined before the first analysis, or before branches were read. */
export const viewBranchFindings = rememberFindings(findBranches);

function findBranches(
  { options, book, costing, ledger, history }: AnalyzedSnapshot,
  { account, knownUntilAt: at }: AccountSpan,
  projects: readonly UsageProject[],
  money: Money,
): readonly PricedBranchFinding[] | undefined {
  if (history.branches.extent(account, at) === 'none') return undefined;
  const { found: reviewed } = reviewBranches({
    ...{ projects, at },
    branches: history.branches.read(account, at),
    rules: findingRulesOf(options),
    month: book && { book, ledger, assignments: costing.assignmentsAt(at), at },
  });
  return reviewed.map(({ finding, money: saved }) => ({
    ...finding,
    ...money,
    ...compact({ costPerMonth: saved && savingNumbers(saved) }),
  }));
}
