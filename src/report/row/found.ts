import { type FoundBranches, reviewBranches } from '../../cost/finding/branch-review.ts';
import { findingOptionsOf, isIgnoredFor, isWorthShowing } from '../../cost/finding/finding-filter.ts';
import { ledgerFinding } from '../../cost/finding/ledger-finding.ts';
import { findingWindowMs, readMonthUse } from '../../cost/finding/month-use.ts';
import { reviewProject } from '../../cost/finding/project-review.ts';
import { priceDone, type SpentMonth, settleFindings, sumPaid } from '../../cost/finding/saving.ts';
import { type Amount, amountOf, compareAmounts, noAmount } from '../../cost/money/money.ts';
import { assignPlans, type PlanAssignment } from '../../cost/price/plan-assignment.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import {
  type DoneFinding,
  type Finding,
  figureOf,
  type ProjectFinding,
  type Saving,
} from '../../resources/finding.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { ReportSubject } from '../content.ts';
import { RolledLedger } from './rolled-ledger.ts';
import type { RowScope } from './scope.ts';
import { priceUse } from './scoped-cost.ts';

/** A finding with the row it belongs to and what it saves in 30 days. */
export interface Found {
  readonly scope: RowScope;
  readonly project: UsageProject;
  readonly finding: Finding | ProjectFinding;
  /** Absent where it is not about compute, and where too little is known. */
  readonly hours?: Saving<Amount>;
  /** In the display currency; absent where what it saves is unpriced, or not known. */
  readonly money?: Saving<Amount>;
}

/** A finding whose cause is gone, with what that saves in 30 days. */
export interface FoundDone {
  readonly finding: DoneFinding;
  readonly hours: Amount;
  /** In the display currency; absent where the compute is unpriced. */
  readonly money?: Amount;
}

export interface FoundFindings {
  /** The largest savings first, and equal ones by their ids. */
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
  const refs = new Set(found.map(({ project }) => project.project_ref));
  const month = spendMonth(subject, assignments, ({ project_ref }) => refs.has(project_ref));
  const settled = settleAll(found, month);
  const rules = { ...findings, ignored: ignoredFindings };
  const shown = settled.filter(({ money }) => isWorthShowing(rules, money));
  return {
    found: [...shown, ...branches.found].toSorted(dearestFirst),
    leftOut: found.length - shown.length + branches.leftOut,
    done: pricing === undefined ? done : addMoney(done, { ...month, book: pricing, assignments, at }),
  };
}

/** The order of projects in a history says nothing: equal findings are in the order of their ids. */
function dearestFirst(a: Found, b: Found): number {
  const figure = (saving: Saving<Amount> | undefined) => (saving === undefined ? noAmount : figureOf(saving));
  return (
    compareAmounts(figure(b.money), figure(a.money)) ||
    compareAmounts(figure(b.hours), figure(a.hours)) ||
    (placeOf(a) < placeOf(b) ? -1 : 1)
  );
}

function placeOf({ finding }: Found): string {
  const endpoint_id = 'endpoint_id' in finding ? finding.endpoint_id : '';
  return [finding.account, finding.project_id, endpoint_id, finding.kind].join(' ');
}

interface FoundOfCompute extends Found {
  readonly finding: Finding;
}

function settleAll(found: readonly FoundOfCompute[], month: SpentMonth): readonly Found[] {
  const projects = new Map(found.map(({ finding, project }) => [finding, project]));
  const settled = settleFindings(
    month,
    found.map(({ finding }) => finding),
    finding => projects.get(finding)?.project_ref ?? Number.NaN,
  );
  return found.map((each, index) => {
    const { hours, money } = settled[index] ?? {};
    return { ...each, ...(hours && { hours: hourAmounts(hours) }), ...(money && { money }) };
  });
}

function hourAmounts({ likely, most }: Saving): Saving<Amount> {
  return { ...(likely !== undefined && { likely: hourAmount(likely) }), most: hourAmount(most) };
}

function hourAmount(hours: number): Amount {
  return amountOf(hours.toFixed(6));
}

function addMoney(
  done: readonly (FoundDone & { readonly project_ref: number })[],
  month: Parameters<typeof priceDone>[0],
): readonly FoundDone[] {
  const changes = done.map(({ project_ref, finding }) => {
    return { project_ref, computeHours: finding.computeHoursPerMonth };
  });
  const savings = priceDone(month, changes);
  return done.map((each, index) => {
    const money = savings[index];
    return { ...each, ...(money && { money }) };
  });
}

/**
 * What the 30 days before the end of the report used and cost.
 *
 * @param isMeant the projects whose cost is asked for.
 */
export function spendMonth(
  subject: Pick<ReportSubject, 'history' | 'request' | 'groups'>,
  assignments: readonly PlanAssignment[],
  isMeant: (project: UsageProject) => boolean,
): SpentMonth {
  const { history, request } = subject;
  const { pricing: book } = request.config;
  const { untilAt } = request.span;
  const monthUse = readUse(history, untilAt);
  if (book === undefined) return { monthUse };
  const stretch = { fromAt: untilAt - findingWindowMs, untilAt };
  const costing = priceUse(subject, book, new RolledLedger(history, stretch, false));
  const paid = sumPaid(costing.usageLines(stretch, isMeant));
  return { monthUse, priced: { book, assignments, at: untilAt - 1, paid } };
}

function reviewAll(
  { history, request, rule, onProgress }: ReportSubject,
  assignments: readonly PlanAssignment[],
): {
  readonly found: readonly FoundOfCompute[];
  readonly done: readonly (FoundDone & { readonly project_ref: number })[];
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
    return {
      found: open.map(finding => {
        return { project, finding, scope: rule.scopeOf(project, finding.endpoint_id) };
      }),
      done: done.map(finding => ({ project_ref, finding, hours: hourAmount(finding.computeHoursPerMonth) })),
    };
  });
  return { found: reviews.flatMap(({ found }) => found), done: reviews.flatMap(({ done }) => done) };
}

/** CU-milliseconds of each project in 30 days, by its number. */
function readUse({ usage }: ReportHistory, endsAt: number): ReadonlyMap<number, number> {
  return new Map(
    usage.projects.map(project => {
      const untilAt = Math.min(endsAt, usage.knownUntil(project.account) ?? endsAt);
      const knownFromAt = usage.knownFrom(project.account) ?? 0;
      return [project.project_ref, readMonthUse(usage, project, { knownFromAt, untilAt })];
    }),
  );
}

/** Finds projects with many unused branches, and prices these where there are a meter and prices. */
function findBranches(
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

/** Finds projects whose meter and counters differ in compute, the furthest apart first. */
export function findLedgerDoubts({ history, request, rule }: ReportSubject): readonly Found[] {
  const { findings, ignoredFindings: ignored } = request.config;
  const { untilAt } = request.span;
  const places = new Map(
    history.usage.projects.map(project => [`${project.account} ${project.project_id}`, project]),
  );
  return history.accounts.flatMap(account => {
    const { drifting = [], fromAt = 0 } = history.compareLedgers(account, untilAt) ?? {};
    return drifting
      .toSorted((a, b) => Math.abs(b.driftComputeSeconds) - Math.abs(a.driftComputeSeconds))
      .flatMap(drift => {
        const project = places.get(`${account} ${drift.project_id}`);
        if (project === undefined) return [];
        if (isIgnoredFor({ ...findings, ignored }, project, untilAt)('ledgers_apart')) return [];
        const finding = ledgerFinding(project, drift, fromAt);
        return [{ scope: rule.scopeOf(project, ''), project, finding }];
      });
  });
}
