import { findingOptionsOf, isWorthShowing } from '../../cost/finding/finding-filter.ts';
import { estimateMonthUse } from '../../cost/finding/month-use.ts';
import { reviewProject } from '../../cost/finding/project-review.ts';
import { priceDone, priceSavings, type SparedUse } from '../../cost/finding/saving.ts';
import { type Amount, amountOf } from '../../cost/money/money.ts';
import { assignPlans, type PlanAssignment } from '../../cost/price/plan-assignment.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import type { DoneFinding, Finding, ProjectFinding } from '../../resources/finding.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportSubject } from '../content.ts';
import { findBranches } from './found-branch.ts';
import type { RowScope } from './scope.ts';

/** A finding with the row it belongs to and what it saves in 30 days. */
export interface Found {
  readonly scope: RowScope;
  readonly project: UsageProject;
  readonly finding: Finding | ProjectFinding;
  /** Absent where it is not about compute. */
  readonly hours?: Amount;
  /** In the display currency; absent where what it saves is unpriced. */
  readonly money?: Amount;
}

/** A finding whose cause is gone, with what that saves in 30 days. */
export interface FoundDone {
  readonly finding: DoneFinding;
  readonly hours: Amount;
  /** In the display currency; absent where the compute is unpriced. */
  readonly money?: Amount;
}

export interface FoundFindings {
  readonly found: readonly Found[];
  /** How many are left out for the little money they save. */
  readonly leftOut: number;
  readonly done: readonly FoundDone[];
}

/** Finds what endpoints and projects might not need, and what they no longer use, and prices it where there are prices. */
export function findAll(subject: ReportSubject): FoundFindings {
  const { history, request } = subject;
  const { pricing, findings, ignoredFindings } = request.config;
  const { untilAt } = request.span;
  const { projects } = history.usage;
  const at = untilAt - 1;
  const assignments =
    pricing === undefined ? [] : assignPlans(pricing, projects, subject.groups.groupsOf, at);
  const { found, done } = reviewAll(subject, assignments);
  const branches = findBranches(subject, assignments);
  if (pricing === undefined) return { found: [...found, ...branches.found], leftOut: 0, done };
  const month = { book: pricing, assignments, at, monthUse: estimateUse(history, untilAt) };
  const priced = addMoney(found, priceSavings(month, found.map(changeOf)));
  const rules = { ...findings, ignored: ignoredFindings };
  const shown = priced.filter(({ money }) => isWorthShowing(rules, money));
  return {
    found: [...shown, ...branches.found],
    leftOut: found.length - shown.length + branches.leftOut,
    done: addMoney(done, priceDone(month, done.map(changeOf))),
  };
}

interface Placed {
  readonly project_ref: number;
  readonly finding: { readonly computeHoursPerMonth: number };
}

function changeOf({ project_ref, finding }: Placed): SparedUse {
  return { project_ref, computeHours: finding.computeHoursPerMonth };
}

function addMoney<Each>(
  found: readonly Each[],
  savings: readonly (Amount | undefined)[],
): readonly (Each & { readonly money?: Amount })[] {
  return found.map((each, index) => {
    const money = savings[index];
    return { ...each, ...(money && { money }) };
  });
}

function reviewAll(
  { history, request, rule, onProgress }: ReportSubject,
  assignments: readonly PlanAssignment[],
): {
  readonly found: readonly (Found & Placed)[];
  readonly done: readonly (FoundDone & Placed)[];
} {
  const { findings, ignoredFindings } = request.config;
  const { untilAt } = request.span;
  const { projects } = history.usage;
  const planByRef = new Map(
    assignments.flatMap(({ plan, projects }) => projects.map(({ project_ref }) => [project_ref, plan])),
  );
  const reviews = projects.map((project, index) => {
    const { project_ref } = project;
    const options = findingOptionsOf(
      { ...findings, ignored: ignoredFindings },
      { project, plan: planByRef.get(project_ref), at: untilAt },
    );
    const { open, done } = reviewProject(history.endpoints, project, { ...options, untilAt });
    onProgress((index + 1) / projects.length);
    const hoursOf = (hours: number) => amountOf(hours.toFixed(6));
    return {
      found: open.map(finding => ({
        ...{ project_ref, project, finding, scope: rule.scopeOf(project, finding.endpoint_id) },
        hours: hoursOf(finding.computeHoursPerMonth),
      })),
      done: done.map(finding => ({ project_ref, finding, hours: hoursOf(finding.computeHoursPerMonth) })),
    };
  });
  return { found: reviews.flatMap(({ found }) => found), done: reviews.flatMap(({ done }) => done) };
}

/** CU-milliseconds of each project in a typical month, by its number. */
export function estimateUse({ usage }: ReportHistory, endsAt: number): ReadonlyMap<number, number> {
  return new Map(
    usage.projects.map(project => {
      const untilAt = Math.min(endsAt, usage.knownUntil(project.account) ?? endsAt);
      const knownFromAt = usage.knownFrom(project.account) ?? 0;
      return [project.project_ref, estimateMonthUse(usage, project, { knownFromAt, untilAt })];
    }),
  );
}
