import { ungrouped } from '../../resources/grouping.ts';
import { matchesProject } from '../../resources/project-match.ts';
import type { SpendingBudget } from '../../resources/spending-budget.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { CostLine } from '../rating/cost-line.ts';
import type { GroupShare } from '../rating/group-share.ts';

/** The costs that count against a budget. */
export interface BudgetScope {
  readonly hasProject: (project: UsageProject) => boolean;
  /** Whether an account's charges count; they have no project and so are `ungrouped`. */
  readonly hasCharges: (account: string) => boolean;
}

/** @param groups finds the group of each project, for budgets of a group. */
export function scopeOf({ scope }: SpendingBudget, groups: GroupShare): BudgetScope {
  switch (scope.kind) {
    case 'account':
      return {
        hasProject: ({ account }) => account === scope.account,
        hasCharges: account => account === scope.account,
      };
    case 'group':
      return {
        hasProject: project => groups.groupOf(scope.grouping, project) === scope.group,
        hasCharges: () => scope.group === ungrouped,
      };
    case 'projects':
      return { hasProject: project => matchesProject(scope, project), hasCharges: () => false };
  }
}

/** Whether a charge counts: one of a project with the project, all others with their account. */
export function hasCharge(scope: BudgetScope, { account, project }: CostLine): boolean {
  return project === undefined ? scope.hasCharges(account) : scope.hasProject(project);
}
