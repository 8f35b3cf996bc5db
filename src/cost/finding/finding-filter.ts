import { type FindingKind, figureOf, type ProjectFindingKind, type Saving } from '../../resources/finding.ts';
import type { FindingRules } from '../../resources/finding-rule.ts';
import type { PricePlan } from '../../resources/price-book.ts';
import { type MatchedProject, matchesProject } from '../../resources/project-match.ts';
import { type Amount, amountNumber } from '../money/money.ts';
import type { FindingOptions } from './finding-list.ts';

/** A project whose findings are looked for. */
interface FilteredProject {
  readonly project: MatchedProject;
  /** Absent where none is for it. */
  readonly plan?: PricePlan | undefined;
  /** Epoch milliseconds: what is ignored until then is seen again. */
  readonly at: number;
}

/** The options with which findings of a project are looked for, by somebody's rules. */
export function findingOptionsOf(
  rules: FindingRules,
  { project, plan, at }: FilteredProject,
): FindingOptions {
  return {
    minimumComputeHours: rules.leastComputeHours,
    smallestDelayMs: plan?.smallestSuspendDelayMs ?? rules.smallestSuspendDelayMs,
    isIgnored: isIgnoredFor(rules, project, at),
  };
}

/** Whether findings of a kind are not wanted of a project. */
export function isIgnoredFor(
  { ignored }: FindingRules,
  project: MatchedProject,
  at: number,
): (kind: FindingKind | ProjectFindingKind) => boolean {
  const own = ignored.filter(
    ({ projects, untilAt = Number.POSITIVE_INFINITY }) =>
      at < untilAt && matchesProject(projects === undefined ? {} : { projects }, project),
  );
  return kind => own.some(({ kinds }) => kinds === undefined || kinds.includes(kind));
}

/** Whether a saving is worth showing; one whose money is not known is. */
export function isWorthShowing({ leastAmount }: FindingRules, saving: Saving<Amount> | undefined): boolean {
  return saving === undefined || amountNumber(figureOf(saving)) >= leastAmount;
}
