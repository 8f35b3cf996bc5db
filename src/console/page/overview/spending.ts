import { billingCalendar } from '../../../cost/calendar/billing-calendar.ts';
import { calendarMonths } from '../../../cost/calendar/billing-name.ts';
import {
  addAmounts,
  amountOf,
  currencyDecimals,
  noAmount,
  showAmount,
  subtractAmounts,
} from '../../../cost/money/money.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { ShownUsage } from '../../../resources/usage/view.ts';
import { writeBounds, writeInstant } from '../../answer-field.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { type KeyedRow, keyRows, keyTotals } from '../../report-row.ts';
import type { Forecast, Spending } from './overview-answer.ts';

/** The reports that tell what the billing period costs. */
export interface SpendingReports {
  /** By account: of cost, or of use where there are no prices. */
  readonly use: MadeReport;
  readonly why: MadeReport | undefined;
}

/** Cost of the billing period so far, its forecast, and the cost of the same part of the one before. */
export function describeSpending(
  { use, why }: SpendingReports,
  { pricing }: ConsoleConfig,
  view: ShownUsage | undefined,
): Spending {
  const { currency = null } = use;
  const total = keyTotals(use);
  const { fromAt, untilAt } = billingCalendar(pricing?.billingPeriod ?? calendarMonths)(use.period.fromAt);
  const forecasts = new Map(
    view?.accounts.map(each => [each.account, writeForecast(each, currency)] as const) ?? [],
  );
  const accounts = keyRows(use).map(row => {
    const account = row.text('account') ?? '';
    return { account, ...figuresOf(row), forecast: forecasts.get(account) ?? null };
  });
  return {
    period: { from: writeInstant(fromAt), until: writeInstant(untilAt) },
    currency,
    cost: total?.text('cost') ?? null,
    compute_hours: (total && hoursOf(total)) ?? null,
    expected: currency === null ? null : sumExpected(accounts, currency),
    accounts,
    before: why === undefined || currency === null ? null : describeBefore(why, currency),
    partial: use.partial,
  };
}

function figuresOf(row: KeyedRow) {
  return {
    cost: row.text('cost') ?? null,
    cost_missing: row.reason('cost') ?? null,
    compute_hours: hoursOf(row) ?? null,
  };
}

/** Hours are named otherwise where they have a price. */
function hoursOf(row: KeyedRow): string | undefined {
  return row.text('used_hours') ?? row.text('compute_hours');
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
  return showAmount(expected.map(amountOf).reduce(addAmounts, noAmount), currencyDecimals(currency));
}

function describeBefore({ against, summary, gaps }: MadeReport, currency: string): Spending['before'] {
  if (against === undefined) return null;
  const { period, before, after } = against;
  const difference = subtractAmounts(amountOf(after), amountOf(before));
  return {
    from: writeInstant(period.fromAt),
    until: writeInstant(period.untilAt),
    cost: before,
    cost_now: after,
    difference: showAmount(difference, currencyDecimals(currency)),
    summary: [...(summary ?? [])],
    gaps: [...gaps],
  };
}
