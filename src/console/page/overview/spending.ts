import { billingCalendar } from '../../../cost/calendar/billing-calendar.ts';
import { calendarMonths } from '../../../cost/calendar/billing-name.ts';
import { stepsAfter } from '../../../cost/calendar/step.ts';
import {
  amountOf,
  currencyDecimals,
  showAmount,
  subtractAmounts,
  sumAmounts,
} from '../../../cost/money/money.ts';
import { hourDecimals, inHours } from '../../../report/format/hour-text.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { ReadRow } from '../../../report/report-list.ts';
import { sumOf } from '../../../resources/sum.ts';
import type { ShownUsage } from '../../../resources/usage/view.ts';
import { sumDecimals, writeBounds, writeMaybeInstant, writeSpan, writeStep } from '../../answer-value.ts';
import { choosePeriod } from '../../chosen-period.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { shortDay } from '../../part/chart/step.ts';
import { readRows, readTotals } from '../../report-row.ts';
import { groupBySteps, hoursOf, type UseKind, type UseRow } from '../cost/cost-series.ts';
import type { Forecast, Spending } from './overview-answer.ts';

/** The reports that tell what the billing period costs. */
interface SpendingReports {
  /** By account: of cost, or of use where there are no prices. */
  readonly use: MadeReport;
  /** The same by day. */
  readonly days: MadeReport;
  readonly why: MadeReport;
}

/** Cost of the billing period so far, its forecast, and the cost of the same part of the one before. */
export function describeSpending(
  { use, days, why }: SpendingReports,
  config: ConsoleConfig,
  view: ShownUsage | undefined,
): Spending {
  const { pricing, budgets } = config;
  const { currency = null } = use;
  const total = readTotals<UseKind>(use);
  const { fromAt, untilAt } = billingCalendar(pricing?.billingPeriod ?? calendarMonths)(use.period.fromAt);
  const accounts = describeAccounts(use, view);
  return {
    period: writeSpan({ fromAt, untilAt }),
    currency,
    cost: total?.cost ?? null,
    compute_hours: hoursOf(total),
    expected: currency === null ? null : sumExpected(accounts, currency),
    expected_hours: sumExpectedHours(view, accounts.length),
    accounts,
    before: describeBefore(why, currency),
    partial: use.partial,
    by_day: describeDays(days),
    days_to_come: stepsAfter(choosePeriod(config, 'billing', days.generatedAt), 'day', untilAt).map(
      writeStep,
    ),
    budget: accounts.length === 1 ? findBudget(budgets, view, { currency, untilAt }) : null,
    moves: describeMoves(why),
  };
}

/** Accounts with their forecasts; one that used nothing in the period so far has no row in its report. */
function describeAccounts(use: MadeReport, view: ShownUsage | undefined): Spending['accounts'] {
  const { currency = null } = use;
  const figures = new Map(readRows<UseKind>(use).map(row => [row.account ?? '', figuresOf(row)]));
  const shown = new Map(view?.accounts.map(each => [each.account, each]));
  for (const { account, cost, computeSeconds, forecast } of shown.values()) {
    if (forecast === undefined || figures.has(account)) continue;
    const inMoney = currency === null ? undefined : cost?.toFixed(currencyDecimals(currency));
    figures.set(account, {
      cost: inMoney ?? null,
      cost_missing: null,
      compute_hours: inHours(computeSeconds),
    });
  }
  return [...figures].map(([account, own]) => {
    const usage = shown.get(account);
    return { account, ...own, forecast: usage ? writeForecast(usage, currency) : null };
  });
}

function describeDays(report: MadeReport): Spending['by_day'] {
  return groupBySteps(readRows<UseKind>(report)).map(({ members, ...step }) => ({
    ...step,
    cost: sumDecimals(members.map(row => row.cost ?? null)),
    compute_hours: sumDecimals(members.map(hoursOf)),
  }));
}

/** The budget of an account for the period that comes nearest to its limit. */
function findBudget(
  declared: ConsoleConfig['budgets'],
  view: ShownUsage | undefined,
  { currency, untilAt }: { readonly currency: string | null; readonly untilAt: number },
): Spending['budget'] {
  if (currency === null) return null;
  const ofAccounts = new Set(declared.flatMap(({ name, scope }) => (scope.kind === 'account' ? name : [])));
  const nearest = (view?.budgets ?? [])
    .filter(each => ofAccounts.has(each.budget) && each.unit === currency && each.period.untilAt === untilAt)
    .toSorted((a, b) => b.usedRatio - a.usedRatio)[0];
  if (nearest === undefined) return null;
  const { budget, limit, projected, exhaustedAt } = nearest;
  const write = (amount: number) => amount.toFixed(currencyDecimals(currency));
  return {
    ...{ name: budget, limit: write(limit), exhausted_at: writeMaybeInstant(exhaustedAt) },
    projected: projected === undefined ? null : write(projected),
  };
}

/** Causes with a row of their own; the others are added up. */
export const mostMoves = 5;

/** The causes that are part of no other, the largest first, as the report of causes has them. */
function describeMoves(report: MadeReport): Spending['moves'] {
  if (report.against?.isComparable !== true) return null;
  const rows = readRows<'why'>(report);
  const causes = rows.flatMap((row, index) => {
    const difference = row[report.currency === undefined ? 'compute_hours' : 'difference'];
    if (row.level !== 1 || !difference) return [];
    const part = rows[index + 1];
    return [{ row, difference, part: part?.level === 2 ? part : undefined }];
  });
  const largest = causes.filter(({ row }) => !row.causes).slice(0, mostMoves);
  const others = causes.filter(cause => !largest.includes(cause));
  return {
    largest: largest.map(({ row, difference, part }) => ({
      ...{ kind: row.kind ?? '', cause: row.cause ?? '', difference },
      account: row.account ?? null,
      project_id: row.project_id ?? null,
      project_name: row.project_name ?? null,
      detail: describeMove(row, part),
    })),
    others: others.reduce((sum, { row }) => sum + (row.causes ?? 1), 0),
    others_difference: sumDecimals(others.map(({ difference }) => difference)) ?? '0',
  };
}

function describeMove(row: ReadRow<'why'>, part: ReadRow<'why'> | undefined): string {
  if (row.kind === 'new_project' && row.since) return `new since ${shortDay(row.since)}`;
  if (part?.kind === 'lifetime' && part.since) return `${part.cause}, since ${shortDay(part.since)}`;
  return part?.cause ?? row.evidence ?? '';
}

function figuresOf(row: UseRow) {
  return { cost: row.cost ?? null, cost_missing: row.missing.cost ?? null, compute_hours: hoursOf(row) };
}

function writeForecast(
  { forecast }: ShownUsage['accounts'][number],
  currency: string | null,
): Forecast | null {
  if (forecast?.cost === undefined || currency === null) return null;
  const decimals = currencyDecimals(currency);
  const write = (amount: number) => amount.toFixed(decimals);
  return {
    expected: write(forecast.cost.expected),
    ...writeBounds(forecast.cost, write),
    mean_error: forecast.quality?.meanError ?? null,
  };
}

/** Bounds of several accounts do not add up: what is expected does. */
function sumExpected(accounts: Spending['accounts'], currency: string): string | null {
  const expected = accounts.flatMap(({ forecast }) => forecast?.expected ?? []);
  if (expected.length === 0 || expected.length < accounts.length) return null;
  return showAmount(sumAmounts(expected.map(amountOf)), currencyDecimals(currency));
}

function sumExpectedHours(view: ShownUsage | undefined, accounts: number): string | null {
  const expected = (view?.accounts ?? []).flatMap(({ forecast }) => forecast?.computeSeconds.expected ?? []);
  if (expected.length === 0 || expected.length < accounts) return null;
  return inHours(sumOf(expected));
}

function describeBefore({ against, summary, gaps }: MadeReport, currency: string | null): Spending['before'] {
  if (against === undefined) return null;
  const { period, before, after } = against;
  const difference = subtractAmounts(amountOf(after), amountOf(before));
  const isPriced = currency !== null;
  return {
    ...writeSpan(period),
    ...{ cost: isPriced ? before : null, cost_now: isPriced ? after : null },
    ...{ used_hours: isPriced ? null : before, used_hours_now: isPriced ? null : after },
    difference: showAmount(difference, isPriced ? currencyDecimals(currency) : hourDecimals),
    summary: [...(summary ?? [])],
    gaps: [...gaps],
  };
}
