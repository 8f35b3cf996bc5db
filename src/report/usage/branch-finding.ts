import { reviewBranches } from '../../cost/finding/branch-review.ts';
import { compact } from '../../resources/field.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { PricedBranchFinding } from '../../resources/usage/view.ts';
import type { AccountSpan } from './account-span.ts';
import type { UsageAnalysis } from './analysis.ts';
import { type Money, savingNumbers } from './finding-view.ts';
import { findingRulesOf } from './options.ts';
import type { UsageSnapshot } from './snapshot.ts';

type Found = readonly PricedBranchFinding[] | undefined;

/** Findings by account, of the analyses they were made with: branches are read, and their meter grows, more slowly. */
const found = new WeakMap<UsageAnalysis, Map<string, Found>>();

/** Projects of the account with many unused branches; undefined before the first analysis, or before branches were read. */
export function viewBranchFindings(
  snapshot: UsageSnapshot,
  span: AccountSpan,
  projects: readonly UsageProject[],
  money: Money,
): Found {
  const { analysis } = snapshot;
  if (analysis === undefined) return undefined;
  const known = found.get(analysis) ?? new Map<string, Found>();
  found.set(analysis, known);
  if (!known.has(span.account)) known.set(span.account, findBranches(snapshot, span, projects, money));
  return known.get(span.account);
}

function findBranches(
  { options, book, costing, ledger, history }: UsageSnapshot,
  { account, knownUntilAt: at }: AccountSpan,
  projects: readonly UsageProject[],
  money: Money,
): Found {
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
