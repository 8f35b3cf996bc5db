import type { ProjectBranches } from '../../resources/branch.ts';
import { hourMs } from '../../resources/duration.ts';
import type { EndpointHistory, RememberedEndpoint } from '../../resources/endpoint-history.ts';
import {
  type DoneFinding,
  type Finding,
  type Found,
  findingKinds,
  type PricedDoneFinding,
  type PricedFinding,
  type PricedProjectFinding,
} from '../../resources/finding.ts';
import type { FindingRules } from '../../resources/finding-rule.ts';
import { maxOf } from '../../resources/min-max.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import type { Amount } from '../money/money.ts';
import { reviewBranches } from './branch-review.ts';
import { doneWindowMs, findDone } from './done-finding.ts';
import { findingOptionsOf, isWorthShowing } from './finding-filter.ts';
import { type FindingOptions, findFindings } from './finding-list.ts';
import {
  findingWindowMs,
  type MonthSource,
  priceDone,
  type SpentMonth,
  settleSavings,
  spendMonth,
} from './saving.ts';

/** A history that findings are looked for in. */
interface ReviewedHistory {
  readonly usage: Pick<UsageLedger, 'projects' | 'usedUntil' | 'knownFrom' | 'knownUntil' | 'metered'>;
  readonly endpoints: {
    /** Endpoints that are not gone, each from an instant on. */
    endpoints(
      project: UsageProject,
      sinceAtOf: (endpoint_id: string) => number,
      beforeAt: number,
    ): readonly EndpointHistory[];
    /** Names all that is known of the endpoints of a project until an instant: their histories are the same while it is. */
    nameOf(project: UsageProject, beforeAt: number): string;
    /** Also ones that are gone. */
    remembered(project: UsageProject, sinceAt: number, beforeAt: number): readonly RememberedEndpoint[];
  };
  readonly branches: { read(account: string, at: number): readonly ProjectBranches[] };
}

/** The last whole hour that is known: findings are of the time before it, so that what is found once holds for an hour. */
export function reviewedUntil(knownUntilAt: number): number {
  return knownUntilAt - (knownUntilAt % hourMs);
}

/** A history at an instant, and the prices and wishes by which its findings are reviewed. */
export interface ReviewCase extends Omit<MonthSource, 'usage'> {
  readonly history: ReviewedHistory;
  readonly rules: FindingRules;
  /** Spares the search where it was made before. */
  readonly reviewed?: ReviewedProjects | undefined;
}

/** The findings of the endpoints of a project: open ones, and ones whose cause is gone. */
interface ProjectReview {
  readonly open: readonly Finding[];
  readonly done: readonly DoneFinding[];
}

/** Keeps the findings of each project as long as all that they rest on is the same, which is mostly an hour. */
export class ReviewedProjects {
  readonly #reviews = new Map<number, ProjectReview & { readonly restsOn: string }>();

  /** @param restsOn names all that the findings rest on. */
  find({ project_ref }: UsageProject, restsOn: string, review: () => ProjectReview): ProjectReview {
    const known = this.#reviews.get(project_ref);
    if (known?.restsOn === restsOn) return known;
    const found = { ...review(), restsOn };
    this.#reviews.set(project_ref, found);
    return found;
  }
}

/** What endpoints and projects might not need, and no longer use; in the order of the projects. */
interface ReviewedFindings {
  readonly open: readonly Found<PricedFinding<Amount>>[];
  readonly branches: readonly Found<PricedProjectFinding<Amount>>[];
  /** Those whose cause is gone. */
  readonly done: readonly Found<PricedDoneFinding<Amount>>[];
  /** How many are left out for the little money they save. */
  readonly leftOut: number;
}

/**
 * Finds what endpoints and projects might not need, settles what that saves and prices it.
 *
 * @param projects all of their accounts: what one uses changes what others are charged.
 * @param onProgress called with the part that is done, 0 to 1.
 */
export function reviewFindings(
  given: ReviewCase,
  projects: readonly UsageProject[],
  onProgress: (done: number) => void = () => {},
): ReviewedFindings {
  const { history, rules, untilAt, prices, reviewed } = given;
  const plans = new Map(
    prices?.costing
      .assignmentsAt(untilAt - 1)
      .flatMap(({ plan, projects: planned }) =>
        planned.map(({ project_ref }) => [project_ref, plan] as const),
      ),
  );
  const reviews = projects.map((project, index) => {
    const plan = plans.get(project.project_ref);
    const options = { ...findingOptionsOf(rules, { project, plan, at: untilAt }), untilAt };
    const review = () => reviewProject(history.endpoints, project, options);
    const found =
      reviewed === undefined
        ? review()
        : reviewed.find(project, nameBasis(history, project, options), review);
    onProgress((index + 1) / projects.length);
    return {
      open: found.open.map(finding => ({ project, finding })),
      done: found.done.map(finding => ({ project, finding })),
    };
  });
  const open = reviews.flatMap(review => review.open);
  const refs = new Set(open.map(({ project }) => project.project_ref));
  const month = spendMonth({ ...given, usage: history.usage }, projects, ({ project_ref }) =>
    refs.has(project_ref),
  );
  const settled = settle(open, month);
  const shown = settled.filter(({ finding }) => isWorthShowing(rules, finding.costPerMonth));
  const branches = reviewBranches({
    ...{ projects, rules, at: untilAt },
    branches: [...new Set(projects.map(({ account }) => account))].flatMap(account =>
      history.branches.read(account, untilAt),
    ),
    month: month.priced && { ...month.priced, ledger: history.usage },
  });
  return {
    open: shown,
    branches: branches.found,
    done: priceAll(
      reviews.flatMap(review => review.done),
      month,
    ),
    leftOut: settled.length - shown.length + branches.leftOut,
  };
}

interface ReviewOptions extends FindingOptions {
  readonly untilAt: number;
}

/** Names all that the findings of a project rest on. */
function nameBasis(
  { usage, endpoints }: ReviewedHistory,
  project: UsageProject,
  { untilAt, minimumComputeHours, smallestDelayMs, isIgnored }: ReviewOptions,
): string {
  const { account, project_id, project_name, project_ref } = project;
  return JSON.stringify([
    ...[account, project_id, project_name, usage.usedUntil(project_ref, untilAt)],
    ...[untilAt, minimumComputeHours, smallestDelayMs, isIgnored && findingKinds.filter(isIgnored)],
    endpoints.nameOf(project, untilAt),
  ]);
}

/** Looks for the findings of a project; where one is done, only the time since tells what is open. */
function reviewProject(
  archive: ReviewedHistory['endpoints'],
  project: UsageProject,
  { untilAt, ...options }: ReviewOptions,
): ProjectReview {
  const done = archive
    .remembered(project, untilAt - doneWindowMs, untilAt)
    .flatMap(endpoint => findDone(endpoint, options));
  const openFromAt = (endpoint_id: string): number => {
    const own = done.filter(finding => finding.endpoint_id === endpoint_id);
    return Math.max(untilAt - findingWindowMs, maxOf(own.map(({ measuredFromAt }) => measuredFromAt)));
  };
  const open = archive
    .endpoints(project, openFromAt, untilAt)
    .flatMap(endpoint => findFindings(endpoint, options));
  return { open, done };
}

/** Findings with what each saves besides larger ones; nothing is known of those of which too little use is. */
function settle(open: readonly Found<Finding>[], month: SpentMonth): readonly Found<PricedFinding<Amount>>[] {
  const sized = open.flatMap(({ project: { project_ref }, finding }) => {
    const { hoursPerMonth: hours } = finding;
    return hours === undefined ? [] : [{ finding, change: { project_ref, hours } }];
  });
  const savings = settleSavings(
    month,
    sized.map(({ change }) => change),
  );
  const settled = new Map(sized.map(({ finding }, index) => [finding, savings[index]]));
  return open.map(({ project, finding }) => {
    const { hours, money } = settled.get(finding) ?? {};
    return {
      project,
      finding: { ...finding, ...(hours && { hoursPerMonth: hours }), ...(money && { costPerMonth: money }) },
    };
  });
}

function priceAll(
  done: readonly Found<DoneFinding>[],
  { monthUse, priced }: SpentMonth,
): readonly Found<PricedDoneFinding<Amount>>[] {
  if (priced === undefined) return done;
  const savings = priceDone(
    { ...priced, monthUse },
    done.map(({ project, finding }) => {
      return { project_ref: project.project_ref, computeHours: finding.computeHoursPerMonth };
    }),
  );
  return done.map(({ project, finding }, index) => {
    const money = savings[index];
    return { project, finding: { ...finding, ...(money && { costPerMonth: money }) } };
  });
}
