import type { PriceBook, PricePlan } from '../../resources/price-book.ts';
import { matchesProject } from '../../resources/project-match.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';

/** The groups a project is in, as `team/platform`. */
export type GroupsOf = (project: UsageProject) => readonly string[];

/** The projects of an account that one plan is for: they share included hours and a minimum. */
export interface PlanAssignment {
  readonly account: string;
  readonly plan: PricePlan;
  readonly projects: readonly UsageProject[];
}

/** The plan of a project: the first of the price book that matches it; undefined if none does. */
export function planOf(book: PriceBook, project: UsageProject, groupsOf: GroupsOf): PricePlan | undefined {
  return book.plans.find(({ match }) => matchesProject(match, project, () => groupsOf(project)));
}

/** By account and plan, in the order of the projects; those without a plan are in none. */
export function assignPlans(
  book: PriceBook,
  projects: readonly UsageProject[],
  groupsOf: GroupsOf,
): PlanAssignment[] {
  return [...Map.groupBy(projects, ({ account }) => account)].flatMap(([account, owned]) => {
    const byPlan = Map.groupBy(owned, project => planOf(book, project, groupsOf));
    return [...byPlan].flatMap(([plan, members]) =>
      plan === undefined ? [] : [{ account, plan, projects: members }],
    );
  });
}
