import { compareAmounts, noAmount, shareOut, showAmount } from '../../cost/money/money.ts';
import { type CostLine, sumLinesBy } from '../../cost/rating/cost-line.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import type { UsageProject } from '../../resources/usage/ledger.ts';
import { hourDecimals, showHours } from '../format/hour-text.ts';
import type { PeriodCosts } from './group-cost.ts';

/** The costs and compute hours of a group as they are shown, in both periods: those of all groups add up to the whole. */
export interface GroupTotals {
  readonly total: DecimalText;
  readonly totalBefore: DecimalText;
  readonly hours: DecimalText;
  readonly hoursBefore: DecimalText;
}

/** Rounds the costs and hours of all groups together. @returns those of one, by its name. */
export function shareTotals(
  { used, charges, usedBefore, chargesBefore }: PeriodCosts,
  groupOf: (project: UsageProject) => string,
  decimals: number,
): (group: string) => GroupTotals {
  const totals = shareCosts([...used, ...charges], groupOf, decimals);
  const totalsBefore = shareCosts([...usedBefore, ...chargesBefore], groupOf, decimals);
  const hours = shareHours(used, groupOf);
  const hoursBefore = shareHours(usedBefore, groupOf);
  const noCost = showAmount(noAmount, decimals);
  const noHours = showAmount(noAmount, hourDecimals);
  return group => ({
    total: totals.get(group) ?? noCost,
    totalBefore: totalsBefore.get(group) ?? noCost,
    hours: hours.get(group) ?? noHours,
    hoursBefore: hoursBefore.get(group) ?? noHours,
  });
}

/** Costs by group, with charges that are no group's. */
function shareCosts(
  lines: readonly CostLine[],
  groupOf: (project: UsageProject) => string,
  decimals: number,
): ReadonlyMap<string | undefined, DecimalText> {
  const sums = [...sumLinesBy(lines, ({ project }) => project && groupOf(project))].toSorted(([, a], [, b]) =>
    compareAmounts(b.amount, a.amount),
  );
  const texts = shareOut(
    sums.map(([, { amount }]) => amount),
    decimals,
  );
  return new Map(sums.map(([group], index) => [group, texts[index] ?? '']));
}

/** Compute hours by group, as in a report with a row for each. */
function shareHours(
  lines: readonly CostLine[],
  groupOf: (project: UsageProject) => string,
): ReadonlyMap<string, DecimalText> {
  const sums = [...sumLinesBy(lines, ({ project }) => (project === undefined ? '' : groupOf(project)))];
  const texts = showHours(
    sums.map(([, { usedCuMs }]) => usedCuMs),
    sums.map(([key]) => ({ key })),
  );
  return new Map(sums.map(([group], index) => [group, texts[index] ?? '']));
}
