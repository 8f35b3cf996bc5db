import { isWorthShowing } from '../cost/finding/finding-filter.ts';
import { priceDone, priceSavings } from '../cost/finding/saving.ts';
import { amountNumber } from '../cost/money/money.ts';
import { compact } from '../resources/field.ts';
import type { UsageProject } from '../resources/usage/ledger.ts';
import type { PricedDoneFinding, PricedFinding } from '../resources/usage/view.ts';
import type { AccountSpan } from './account-span.ts';
import { findingRulesOf } from './options.ts';
import type { UsageSnapshot } from './snapshot.ts';

/** The currency amounts are shown in; empty without a price book, as there are no amounts then. */
export type Money = { readonly currency: string } | Record<string, never>;

/** The findings of the account, each with what it saves besides the larger ones; undefined until they were looked for. */
export function viewFindings(
  { options, analysis, book, costing }: UsageSnapshot,
  { account, knownUntilAt }: AccountSpan,
  projects: readonly UsageProject[],
  money: Money,
): readonly PricedFinding[] | undefined {
  const found = analysis?.findings.get(account)?.open;
  if (analysis === undefined || found === undefined) return undefined;
  const assignments = costing.assignmentsAt(knownUntilAt);
  const { monthUse } = analysis;
  const month = book && { book, assignments, at: knownUntilAt, monthUse };
  const savings = month === undefined ? [] : priceSavings(month, changesOf(found, projects));
  return found.flatMap((finding, index) => {
    const saving = savings[index];
    if (!isWorthShowing(findingRulesOf(options), saving)) return [];
    return { ...finding, ...money, ...compact({ costPerMonth: saving && amountNumber(saving) }) };
  });
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
  const savings = month === undefined ? [] : priceDone(month, changesOf(done, projects));
  return done.map((finding, index) => {
    const saving = savings[index];
    return { ...finding, ...money, ...compact({ costPerMonth: saving && amountNumber(saving) }) };
  });
}

interface Saving {
  readonly project_id: string;
  readonly computeHoursPerMonth: number;
}

function changesOf(savings: readonly Saving[], projects: readonly UsageProject[]) {
  const refById = new Map(projects.map(({ project_id, project_ref }) => [project_id, project_ref]));
  return savings.map(({ project_id, computeHoursPerMonth }) => {
    return { project_ref: refById.get(project_id) ?? Number.NaN, computeHours: computeHoursPerMonth };
  });
}
