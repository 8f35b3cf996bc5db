import type { PriceBook, PricePlan } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import {
  type ClosedPlans,
  type GroupsOf,
  type PlanAssignment,
  planStretches,
} from '../price/plan-assignment.ts';

/** A part of a stretch in which a project has one plan, or none. */
export interface PlanPart {
  readonly assignment: DatedAssignment | undefined;
  readonly part: Period;
}

/** The projects of an account that ever have a plan, added one by one. */
export class DatedAssignment implements PlanAssignment {
  readonly account: string;
  readonly plan: PricePlan;
  readonly projects: UsageProject[] = [];
  /** The time in which a project would have the plan, there or not. */
  readonly inForce: Period[] = [];
  readonly #stretches = new Map<number, Period[]>();

  constructor(account: string, plan: PricePlan) {
    this.account = account;
    this.plan = plan;
  }

  add(project: UsageProject, stretch: Period, inForce: Period): void {
    this.inForce.push(inForce);
    const earlier = this.#stretches.get(project.project_ref);
    if (earlier === undefined) this.projects.push(project);
    this.#stretches.set(project.project_ref, [...(earlier ?? []), stretch]);
  }

  /** When a project, by its number, has the plan: in order of time, none overlapping another. */
  stretchesOf(project_ref: number): readonly Period[] {
    return this.#stretches.get(project_ref) ?? [];
  }
}

/** The plans of projects at all times. */
export class PlanHistory {
  /** All accounts, in the order of their first projects. */
  readonly accounts: readonly string[];
  readonly #ofAccount = new Map<string, readonly DatedAssignment[]>();
  /** All time of each project, by its number. */
  readonly #parts = new Map<number, readonly PlanPart[]>();

  constructor(
    book: PriceBook,
    projects: readonly UsageProject[],
    groupsOf: GroupsOf,
    closed: readonly ClosedPlans[],
  ) {
    const byAccount = Map.groupBy(projects, ({ account }) => account);
    this.accounts = [...byAccount.keys()];
    for (const [account, owned] of byAccount) {
      const byPlan = new Map<PricePlan, DatedAssignment>();
      const own = closed.filter(each => each.account === account);
      for (const project of owned) {
        const stretches = planStretches(book, project, groupsOf, own);
        const parts = stretches.map(({ plan, inForce, ...part }): PlanPart => {
          if (plan === undefined) return { assignment: undefined, part };
          const assignment = byPlan.get(plan) ?? new DatedAssignment(account, plan);
          byPlan.set(plan, assignment);
          assignment.add(project, part, inForce);
          return { assignment, part };
        });
        this.#parts.set(project.project_ref, parts);
      }
      this.#ofAccount.set(account, [...byPlan.values()]);
    }
  }

  /** The plans that projects of an account ever have, in the order of the projects. */
  ofAccount(account: string): readonly DatedAssignment[] {
    return this.#ofAccount.get(account) ?? [];
  }

  /** A stretch of a project, cut where its plan changes. */
  partsOf({ project_ref }: UsageProject, stretch: Period): PlanPart[] {
    const found: PlanPart[] = [];
    for (const { assignment, part } of this.#parts.get(project_ref) ?? []) {
      const shared = clip(part, stretch);
      if (shared.fromAt < shared.untilAt) found.push({ assignment, part: shared });
    }
    return found;
  }
}
