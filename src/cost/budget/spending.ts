import { dayMs, hourMs } from '../../resources/duration.ts';
import { ungrouped } from '../../resources/grouping.ts';
import { matchesProject } from '../../resources/project-match.ts';
import type { SpendingBudget } from '../../resources/spending-budget.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import { type Calendar, type Period, sameDatesInUtc, zoneCalendar } from '../calendar/calendar.ts';
import {
  type Amount,
  amountNumber,
  amountOf,
  amountOfUse,
  compareAmounts,
  currencyDecimals,
} from '../money/money.ts';
import { type CostLine, sumLines } from '../rating/cost-line.ts';
import type { Costing } from '../rating/costing.ts';
import type { GroupShare } from '../rating/group-share.ts';
import { type ExpectedSpending, forecastSpending, type SpendingForecast } from './spending-forecast.ts';

/** The costs that count against a budget. */
export interface BudgetScope {
  readonly hasProject: (project: UsageProject) => boolean;
  /** Whether an account's charges count; they have no project and so are `ungrouped`. */
  readonly hasCharges: (account: string) => boolean;
}

/** @param groups finds the group of each project, for budgets of a group. */
export function scopeOf({ scope }: SpendingBudget, groups: GroupShare): BudgetScope {
  switch (scope.kind) {
    case 'account':
      return {
        hasProject: ({ account }) => account === scope.account,
        hasCharges: account => account === scope.account,
      };
    case 'group':
      return {
        hasProject: project => groups.groupOf(scope.grouping, project) === scope.group,
        hasCharges: () => scope.group === ungrouped,
      };
    case 'projects':
      return { hasProject: project => matchesProject(scope, project), hasCharges: () => false };
  }
}

/** Whether a charge counts: one of a project with the project, all others with their account. */
export function hasCharge(scope: BudgetScope, { account, project }: CostLine): boolean {
  return project === undefined ? scope.hasCharges(account) : scope.hasProject(project);
}

interface SpendingContext {
  readonly ledger: UsageLedger;
  readonly costing: Costing;
  readonly groups: GroupShare;
  /** The billing periods of the price book. */
  readonly billing: Calendar;
  /** IANA zone of days, weeks and months. */
  readonly zone: string;
}

/** How a budget stands; amounts are in the display currency, or compute hours where those are limited. */
interface SpendingState extends Partial<SpendingForecast> {
  readonly period: Period;
  readonly limit: Amount;
  /** Without usage that has no price, and charges that have no exchange rate. */
  readonly spent: Amount;
  /** Spent over the limit: infinite when the limit is 0 and anything was spent. */
  readonly usedRatio: number;
  readonly burnRates: readonly BurnRate[];
}

/** Spending against the pace that the limit allows: at 1 throughout, a period ends exactly at its limit. */
interface BurnRate {
  readonly window: string;
  readonly rate: number;
}

const windows: readonly (readonly [name: string, lengthMs: number])[] = [
  ['1h', hourMs],
  ['6h', 6 * hourMs],
  ['1d', dayMs],
  ['3d', 3 * dayMs],
];

/**
 * The state of a budget at an instant.
 *
 * @param now until when everything is known: what is spent later counts in no figure. Of a period that is over, the
 * charges count that are known by then: a minimum is known once its billing period is over, which may be hours after the period.
 * @param expect forecasts the budget's spending in the rest of its period, as far as enough is known; without it there
 * is no forecast.
 * @param period one of the budget, the one that goes on by default.
 */
export function watchSpending(
  budget: SpendingBudget,
  context: SpendingContext,
  now: number,
  expect?: (stretch: Period, period: Period) => ExpectedSpending | undefined,
  period = budgetCalendar(budget, context)(now),
): SpendingState {
  const scope = scopeOf(budget, context.groups);
  const limit = limitOf(budget);
  const endAt = Math.min(now, period.untilAt);
  const spend = (untilAt: number) =>
    sumUp(budget, scope, context, { period, untilAt, asOf: untilAt === endAt ? now : untilAt });
  const spent = spend(endAt);
  const burnRates = windows.map(([window, lengthMs]) => {
    const burnt = sumUse(budget, scope, context, { fromAt: endAt - lengthMs, untilAt: endAt });
    const allowed = (amountNumber(limit) * lengthMs) / (period.untilAt - period.fromAt);
    return { window, rate: ratio(amountNumber(burnt), allowed) };
  });
  const expected = expect?.({ fromAt: now, untilAt: period.untilAt }, period);
  const forecast = expected && forecastSpending(spent, limit, now, expected);
  const isReached = compareAmounts(spent, limit) >= 0;
  const spentUntil = (untilAt: number) => amountNumber(spend(untilAt));
  return {
    period,
    limit,
    spent,
    usedRatio: ratio(amountNumber(spent), amountNumber(limit)),
    burnRates,
    ...forecast,
    ...(isReached && {
      reachedAt: findReached(spentUntil, amountNumber(limit), { fromAt: period.fromAt, untilAt: endAt }),
    }),
  };
}

/**
 * The instant a limit was reached that is known to be reached by the end of a stretch. Within an hour, counted from the
 * beginning, spending is taken for even, so that the instant is the same whenever it is looked for. Charges that are due as the
 * stretch begins may reach it at once.
 */
function findReached(spentUntil: (at: number) => number, limit: number, { fromAt, untilAt }: Period): number {
  const atHour = (hour: number) => Math.min(fromAt + hour * hourMs, untilAt);
  let before = 0;
  let after = Math.ceil((untilAt - fromAt) / hourMs);
  while (after - before > 1) {
    const middle = Math.floor((before + after) / 2);
    if (spentUntil(atHour(middle)) >= limit) after = middle;
    else before = middle;
  }
  const spentBefore = spentUntil(atHour(before));
  if (spentBefore >= limit) return atHour(before);
  const part = ratio(limit - spentBefore, spentUntil(atHour(after)) - spentBefore);
  return atHour(before) + Math.round((atHour(after) - atHour(before)) * part);
}

/** The usage of the budget's projects, without charges: one that falls due is not part of a burn rate. */
function sumUse(
  { limit }: SpendingBudget,
  { hasProject }: BudgetScope,
  { costing, ledger }: SpendingContext,
  stretch: Period,
): Amount {
  if (limit.kind === 'money') return sumLines(costing.usageLines(stretch, hasProject)).amount;
  const usedCuMs = ledger.projects.filter(hasProject).reduce((sum, { project_ref }) => {
    return (
      sum + ledger.usedUntil(project_ref, stretch.untilAt) - ledger.usedUntil(project_ref, stretch.fromAt)
    );
  }, 0);
  return amountOfUse(usedCuMs);
}

/** The part of a budget's period until an instant. */
interface PeriodSoFar {
  readonly period: Period;
  readonly untilAt: number;
  /** By when its charges are known. */
  readonly asOf: number;
}

function sumUp(
  budget: SpendingBudget,
  scope: BudgetScope,
  context: SpendingContext,
  soFar: PeriodSoFar,
): Amount {
  const { period, untilAt } = soFar;
  if (budget.limit.kind === 'money') return sumLines(spendingLines(budget, scope, context, soFar)).amount;
  return sumUse(budget, scope, context, { fromAt: period.fromAt, untilAt });
}

/** What counts against a budget in money: use until an instant, and the known charges of the billing periods of its period. */
export function* spendingLines(
  budget: SpendingBudget,
  scope: BudgetScope,
  { costing, zone }: Pick<SpendingContext, 'costing' | 'zone'>,
  { period, untilAt, asOf }: PeriodSoFar,
): Generator<CostLine> {
  yield* costing.usageLines({ fromAt: period.fromAt, untilAt }, scope.hasProject);
  for (const line of costing.chargeLines(chargedPeriod(budget, period, zone), asOf))
    if (hasCharge(scope, line)) yield line;
}

/** The billing periods that begin in this stretch are those whose charges belong to a period of a budget. */
export function chargedPeriod({ per }: SpendingBudget, period: Period, zone: string): Period {
  return per === 'billing' ? period : sameDatesInUtc(period, zone);
}

/** The periods of a budget. */
export function budgetCalendar(
  { per }: SpendingBudget,
  { billing, zone }: Pick<SpendingContext, 'billing' | 'zone'>,
): Calendar {
  return per === 'billing' ? billing : zoneCalendar(per, zone);
}

function limitOf({ limit }: SpendingBudget): Amount {
  return amountOf(limit.kind === 'money' ? limit.amount : limit.computeHours);
}

function ratio(part: number, whole: number): number {
  return part === 0 ? 0 : part / whole;
}

/** Decimals of compute hours. */
const hourDecimals = 2;

/** Decimals of amounts of a budget, whose unit is a currency or `compute_hours`. */
export function budgetDecimals(unit: string): number {
  return unit === 'compute_hours' ? hourDecimals : currencyDecimals(unit);
}
