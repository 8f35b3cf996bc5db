import { type FoundBranches, reviewBranches } from '../../cost/finding/branch-review.ts';
import type { PlanAssignment } from '../../cost/price/plan-assignment.ts';
import type { ReportSubject } from '../content.ts';
import type { RowScope } from './scope.ts';

/** Finds projects with many unused branches, and prices these where there are a meter and prices. */
export function findBranches(
  { history, request, rule }: ReportSubject,
  assignments: readonly PlanAssignment[],
): { readonly found: readonly (FoundBranches & { readonly scope: RowScope })[]; readonly leftOut: number } {
  const { pricing: book, findings, ignoredFindings } = request.config;
  const { untilAt } = request.span;
  const { found, leftOut } = reviewBranches({
    projects: history.usage.projects,
    branches: history.accounts.flatMap(account => history.branches.read(account, untilAt)),
    rules: { ...findings, ignored: ignoredFindings },
    at: untilAt,
    month: book && { book, ledger: history.usage, assignments, at: untilAt - 1 },
  });
  return { found: found.map(each => ({ ...each, scope: rule.scopeOf(each.project, '') })), leftOut };
}
