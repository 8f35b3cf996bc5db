import type { ProjectBranches } from '../../resources/branch.ts';
import { hourMs } from '../../resources/duration.ts';
import type { EndpointHistory, RememberedEndpoint } from '../../resources/endpoint-history.ts';
import type {
  DoneFinding,
  Finding,
  Found,
  PricedDoneFinding,
  PricedFinding,
  PricedProjectFinding,
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
    /** Also ones that are gone. */
    remembered(project: UsageProject, sinceAt: number, beforeAt: number): readonly RememberedEndpoint[];
  };
  readonly branches: { read(account: string, at: number): readonly ProjectBranches[] };
}

/** Findings rest on whole hours, so that they are the same for an hour: of an account that is known until an instant, until this one. */
export function reviewedUntil(knownUntilAt: number): number {
  return knownUntilAt - (knownUntilAt % hourMs);
}

/** A history at an instant, and the prices and wishes by which its findings are reviewed. */
export interface ReviewCase extends Omit<MonthSource, 'usage'> {
  readonly history: ReviewedHistory;
  readonly rules: FindingRules;
}

/** What endpoints and projects might not need, and no longer use; in the order of the projects. */
export interface ReviewedFindings {
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
  const { history, rules, untilAt, prices } = given;
  const plans = new Map(
    prices?.costing
      .assignmentsAt(untilAt - 1)
      .flatMap(({ plan, projects: planned }) =>
        planned.map(({ project_ref }) => [project_ref, plan] as const),
      ),
  );
  const reviews = projects.map((project, index) => {
    const plan = plans.get(project.project_ref);
    const options = findingOptionsOf(rules, { project, plan, at: untilAt });
    const review = reviewProject(history.endpoints, project, { ...options, untilAt });
    onProgress((index + 1) / projects.length);
    return review;
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

/** Looks for the findings of a project; where one is done, only the time since tells what is open. */
function reviewProject(
  archive: ReviewedHistory['endpoints'],
  project: UsageProject,
  { untilAt, ...options }: FindingOptions & { readonly untilAt: number },
): { readonly open: readonly Found<Finding>[]; readonly done: readonly Found<DoneFinding>[] } {
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
  return {
    open: open.map(finding => ({ project, finding })),
    done: done.map(finding => ({ project, finding })),
  };
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
