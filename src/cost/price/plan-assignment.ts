import type { PriceBook, PricePlan } from '../../resources/price-book.ts';
import { matchesProject } from '../../resources/project-match.ts';
import { livesOf, type UsageProject } from '../../resources/usage/ledger.ts';
import { clip, type Period } from '../calendar/calendar.ts';
import { allTime, holdsAt } from './dated.ts';

/** The groups a project is in, as `team/platform`. */
export type GroupsOf = (project: UsageProject) => readonly string[];

/** The projects of an account that one plan is for: they share included hours, tiers, fees and a minimum. */
export interface PlanAssignment {
  readonly account: string;
  readonly plan: PricePlan;
  readonly projects: readonly UsageProject[];
}

/** The plans that projects had in a closed billing period of an account, whatever their names and groups are now. */
export interface ClosedPlans extends Period {
  readonly account: string;
  /** Names of plans, by the numbers of projects; undefined stands for use without a plan. */
  readonly plansOf: ReadonlyMap<number, ReadonlySet<string | undefined>>;
}

/** The plan of a project in a stretch of time; undefined if none is for it. */
interface PlanStretch extends Period {
  readonly plan: PricePlan | undefined;
}

/** A stretch in one life of a project, and the time in which it would have the plan were it there. */
interface LifeStretch extends PlanStretch {
  readonly inForce: Period;
}

/** The plan of a project at an instant: the first of the price book that matches it and holds; undefined if none does. */
export function planOf(
  book: PriceBook,
  project: UsageProject,
  groupsOf: GroupsOf,
  at: number,
): PricePlan | undefined {
  return book.plans.find(
    plan => holdsAt(plan, at) && matchesProject(plan.match, project, () => groupsOf(project)),
  );
}

/**
 * All time, cut where the plan of a project changes: each of its lives has the plan of its own name.
 *
 * @param closed the closed billing periods of its account: in them it has the plans that it had when they were closed.
 */
export function planStretches(
  book: PriceBook,
  project: UsageProject,
  groupsOf: GroupsOf,
  closed: readonly ClosedPlans[],
): LifeStretch[] {
  const lives = livesOf(project);
  return lives.flatMap((life, index) => {
    const fromAt = index === 0 ? allTime.fromAt : (life.created_at ?? allTime.fromAt);
    const during = { fromAt, untilAt: lives[index + 1]?.created_at ?? allTime.untilAt };
    const named =
      life === project ? project : { ...project, project_name: life.project_name ?? project.project_name };
    return stretchesOfLife(book, named, groupsOf, closed).flatMap(({ plan, ...stretch }) => {
      const part = clip(stretch, during);
      return part.fromAt < part.untilAt ? [{ plan, ...part, inForce: stretch }] : [];
    });
  });
}

/** All time, cut where the plan of a project changes that has one name. */
function stretchesOfLife(
  book: PriceBook,
  project: UsageProject,
  groupsOf: GroupsOf,
  closed: readonly ClosedPlans[],
): PlanStretch[] {
  const plans = plansNow(book, project, groupsOf);
  const kept = closed.filter(({ plansOf }) => plansOf.has(project.project_ref));
  const dated = kept.length === 0 ? plans : book.plans;
  const changes = [...dated, ...kept].flatMap(({ fromAt, untilAt }) => [fromAt ?? [], untilAt ?? []].flat());
  const starts = [allTime.fromAt, ...new Set(changes.sort((a, b) => a - b))];
  const stretches: PlanStretch[] = [];
  for (const [index, fromAt] of starts.entries()) {
    const untilAt = starts[index + 1] ?? allTime.untilAt;
    const names = kept.find(period => holdsAt(period, fromAt))?.plansOf.get(project.project_ref);
    const then = book.plans.find(each => names?.has(each.name) && holdsAt(each, fromAt));
    const usual = names?.has(undefined) ? undefined : plans.find(each => holdsAt(each, fromAt));
    const plan = then ?? usual;
    const last = stretches.at(-1);
    if (last !== undefined && last.plan === plan) stretches[stretches.length - 1] = { ...last, untilAt };
    else stretches.push({ plan, fromAt, untilAt });
  }
  return stretches;
}

/** The plans that match a project, as it is and is grouped now, up to the first that holds at all times. */
function plansNow(book: PriceBook, project: UsageProject, groupsOf: GroupsOf): PricePlan[] {
  const plans: PricePlan[] = [];
  for (const plan of book.plans) {
    if (!matchesProject(plan.match, project, () => groupsOf(project))) continue;
    plans.push(plan);
    if (plan.fromAt === undefined && plan.untilAt === undefined) break;
  }
  return plans;
}

/** By account and plan at an instant, in the order of the projects; those without a plan are in none. */
export function assignPlans(
  book: PriceBook,
  projects: readonly UsageProject[],
  groupsOf: GroupsOf,
  at: number,
): PlanAssignment[] {
  return [...Map.groupBy(projects, ({ account }) => account)].flatMap(([account, owned]) => {
    const byPlan = Map.groupBy(owned, project => planOf(book, project, groupsOf, at));
    return [...byPlan].flatMap(([plan, members]) =>
      plan === undefined ? [] : [{ account, plan, projects: members }],
    );
  });
}
