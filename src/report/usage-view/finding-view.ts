import { reviewBranches } from '../../cost/finding/branch-review.ts';
import { isWorthShowing } from '../../cost/finding/finding-filter.ts';
import { findingWindowMs } from '../../cost/finding/month-use.ts';
import { priceDone, type SpentMonth, settleFindings, sumPaid } from '../../cost/finding/saving.ts';
import { type Amount, amountNumber } from '../../cost/money/money.ts';
import { compact } from '../../resources/field.ts';
import type { Saving } from '../../resources/finding.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import type { PricedBranchFinding, PricedDoneFinding, PricedFinding } from '../../resources/usage/view.ts';
import type { AccountSpan, UsageAnalysis } from './analysis.ts';
import { findingRulesOf } from './options.ts';
import type { UsageSnapshot } from './snapshot.ts';

/** The currency amounts are shown in; empty without a price book, as there are no amounts then. */
export type Money = { readonly currency: string } | Record<string, never>;

type AnalyzedSnapshot = UsageSnapshot & { readonly analysis: UsageAnalysis };

type FindIn<Snapshot, Finding> = (
  snapshot: Snapshot,
  span: AccountSpan,
  projects: readonly UsageProject[],
  money: Money,
) => readonly Finding[] | undefined;

/** The findings of the account, each with what it saves besides the larger ones; undefined until they were looked for. */
export const viewFindings = rememberFindings(settle);

function settle(
  snapshot: AnalyzedSnapshot,
  span: AccountSpan,
  projects: readonly UsageProject[],
  currency: Money,
): readonly PricedFinding[] | undefined {
  const { analysis, options } = snapshot;
  const open = analysis.findings.get(span.account)?.open;
  if (open === undefined) return undefined;
  const refOf = refsById(projects);
  const refs = new Set(open.map(refOf));
  const month = spendMonth(snapshot, span, ({ project_ref }) => refs.has(project_ref));
  return settleFindings(month, open, refOf).flatMap(({ finding, hours, money }) =>
    isWorthShowing(findingRulesOf(options), money)
      ? [
          {
            ...finding,
            ...currency,
            ...compact({ hoursPerMonth: hours, costPerMonth: money && savingNumbers(money) }),
          },
        ]
      : [],
  );
}

/** @param isMeant the projects whose cost is asked for. */
function spendMonth(
  { analysis: { monthUse }, book, costing }: AnalyzedSnapshot,
  { knownUntilAt: at }: AccountSpan,
  isMeant: (project: UsageProject) => boolean,
): SpentMonth {
  if (book === undefined) return { monthUse };
  const paid = sumPaid(costing.usageLines({ fromAt: at - findingWindowMs, untilAt: at }, isMeant));
  return { monthUse, priced: { book, assignments: costing.assignmentsAt(at), at, paid } };
}

/** A saving of money as numbers in its currency. */
export function savingNumbers({ likely, most }: Saving<Amount>): Saving {
  return { ...compact({ likely: likely && amountNumber(likely) }), most: amountNumber(most) };
}

/** The findings of the account that are done, each with what it saves; undefined until they were looked for. */
export function viewDone(
  { analysis, book, costing }: UsageSnapshot,
  { account, knownUntilAt }: AccountSpan,
  projects: readonly UsageProject[],
  money: Money,
): readonly PricedDoneFinding[] | undefined {
  const done = analysis?.findings.get(account)?.done;
  if (analysis === undefined || done === undefined) return undefined;
  const assignments = costing.assignmentsAt(knownUntilAt);
  const { monthUse } = analysis;
  const month = book && { book, assignments, at: knownUntilAt, monthUse };
  const refOf = refsById(projects);
  const changes = done.map(finding => ({
    project_ref: refOf(finding),
    computeHours: finding.computeHoursPerMonth,
  }));
  const savings = month === undefined ? [] : priceDone(month, changes);
  return done.map((finding, index) => {
    const saving = savings[index];
    return { ...finding, ...money, ...compact({ costPerMonth: saving && amountNumber(saving) }) };
  });
}

function refsById(projects: readonly UsageProject[]): (finding: { readonly project_id: string }) => number {
  const refById = new Map(projects.map(({ project_id, project_ref }) => [project_id, project_ref]));
  return ({ project_id }) => refById.get(project_id) ?? Number.NaN;
}

/** Projects of the account with many unused branches; undefined before the first analysis, or before branches were read. */
export const viewBranchFindings = rememberFindings(findBranches);

function findBranches(
  { options, book, costing, ledger, history }: AnalyzedSnapshot,
  { account, knownUntilAt: at }: AccountSpan,
  projects: readonly UsageProject[],
  money: Money,
): readonly PricedBranchFinding[] | undefined {
  if (history.branches.extent(account, at) === 'none') return undefined;
  const { found: reviewed } = reviewBranches({
    ...{ projects, at },
    branches: history.branches.read(account, at),
    rules: findingRulesOf(options),
    month: book && { book, ledger, assignments: costing.assignmentsAt(at), at },
  });
  return reviewed.map(({ finding, money: saved }) => ({
    ...finding,
    ...money,
    ...compact({ costPerMonth: saved && savingNumbers(saved) }),
  }));
}

/**
 * Has the findings of each account worked out once for each analysis: neither they nor what they save change sooner.
 *
 * @param find undefined where they were not looked for.
 * @returns the same, also for a snapshot from before the first analysis, which has none.
 */
function rememberFindings<Finding>(find: FindIn<AnalyzedSnapshot, Finding>): FindIn<UsageSnapshot, Finding> {
  const found = new WeakMap<UsageAnalysis, Map<string, readonly Finding[] | undefined>>();
  return (snapshot, span, projects, money) => {
    const { analysis } = snapshot;
    if (analysis === undefined) return undefined;
    const known = found.get(analysis) ?? new Map<string, readonly Finding[] | undefined>();
    found.set(analysis, known);
    const { account } = span;
    if (!known.has(account)) known.set(account, find({ ...snapshot, analysis }, span, projects, money));
    return known.get(account);
  };
}
