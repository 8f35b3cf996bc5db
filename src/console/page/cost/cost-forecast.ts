import { budgetDecimals } from '../../../cost/budget/spending.ts';
import { currencyDecimals } from '../../../cost/money/money.ts';
import { unitOf, writeQuantity } from '../../../cost/price/metered-tariff.ts';
import { inHours } from '../../../report/format/hour-text.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { MeterRules } from '../../../resources/price-book.ts';
import { nameBudgetScope, type SpendingBudget } from '../../../resources/spending-budget.ts';
import type {
  BudgetUsage,
  ForecastBounds,
  MeteredForecast,
  ShownUsage,
} from '../../../resources/usage/view.ts';
import { writeBounds, writeInstant, writeMaybeInstant, writeSpan } from '../../answer-value.ts';
import { readRows } from '../../report-row.ts';
import type { CostBudget, CostForecast } from './cost-answer.ts';

/** The budgets of a period that is over, as their report has them; without those of time that is not known. */
export function writePastBudgets(
  report: MadeReport,
  budgets: readonly SpendingBudget[],
  accounts: readonly string[],
): CostBudget[] {
  return readRows<'budgets'>(report).flatMap(
    ({ budget: name, from, until, unit, limit, spent, used_up_at }) => {
      const budget = budgets.find(each => each.name === name);
      if (!from || !until || !unit || !limit || !spent) return [];
      if (Date.parse(from) < (report.knownFromAt ?? 0)) return [];
      return {
        ...describeBudget(name ?? '', budget, accounts),
        ...{ unit, period: { from, until }, limit, spent, exhausted_at: used_up_at ?? null },
        used_ratio: Number(limit) > 0 ? Number(spent) / Number(limit) : null,
        ...{ projected: null, bounds: null, days: [], by_day: null },
      };
    },
  );
}

/** The forecast of the billing period of each account. */
export function writeForecasts(
  view: ShownUsage | undefined,
  isMeant: (account: string) => boolean,
  rules: MeterRules | undefined,
): CostForecast[] {
  const accounts = (view?.accounts ?? []).filter(({ account }) => isMeant(account));
  return accounts.map(usage => writeForecast(usage, rules));
}

function writeForecast(usage: ShownUsage['accounts'][number], rules: MeterRules | undefined): CostForecast {
  const { account, period, knownUntilAt, currency, cost, computeSeconds, forecast } = usage;
  // Without one there are no amounts.
  const decimals = currency === undefined ? 0 : currencyDecimals(currency);
  const bounds = forecast?.cost;
  const { meanError, runRateMeanError, coverage80 } = forecast?.quality ?? {};
  return {
    account,
    period: writeSpan(period),
    known_until: writeInstant(knownUntilAt),
    cost: cost === undefined ? null : cost.toFixed(decimals),
    expected: bounds === undefined ? null : bounds.expected.toFixed(decimals),
    bounds: bounds === undefined ? null : writeBounds(bounds, amount => amount.toFixed(decimals)),
    compute_hours: writeHours(computeSeconds, forecast?.computeSeconds),
    metered: (forecast?.metered ?? []).map(metered => writeMetered(metered, rules)),
    quality:
      meanError === undefined || runRateMeanError === undefined || coverage80 === undefined
        ? null
        : { mean_error: meanError, run_rate_mean_error: runRateMeanError, coverage80 },
  };
}

function writeMetered(
  forecast: MeteredForecast,
  rules: MeterRules | undefined,
): CostForecast['metered'][number] {
  const { metric, used, expected } = forecast;
  const unit = unitOf(metric, rules);
  const show = (amount: number) => writeQuantity(amount, unit);
  return {
    ...{ what: metric, unit: unit.name, so_far: show(used), expected: show(expected) },
    bounds: writeBounds(forecast, show),
  };
}

function writeHours(used: number, forecast: ForecastBounds | undefined): CostForecast['compute_hours'] {
  if (forecast === undefined) return { used: inHours(used), expected: null, bounds: null };
  const bounds = writeBounds(forecast, inHours);
  return { used: inHours(used), expected: inHours(forecast.expected), bounds };
}

/**
 * How a budget stands, without its days.
 *
 * @param accounts the accounts that the page shows.
 */
export function writeBudget(
  usage: BudgetUsage,
  budget: SpendingBudget | undefined,
  accounts: readonly string[],
): CostBudget {
  const { unit, period, limit, spent, usedRatio, projected, projectedBounds, exhaustedAt } = usage;
  const show = (amount: number) => amount.toFixed(budgetDecimals(unit));
  return {
    ...describeBudget(usage.budget, budget, accounts),
    unit,
    period: writeSpan(period),
    limit: show(limit),
    spent: show(spent),
    used_ratio: Number.isFinite(usedRatio) ? usedRatio : null,
    projected: projected === undefined ? null : show(projected),
    bounds: projectedBounds === undefined ? null : writeBounds(projectedBounds, show),
    exhausted_at: writeMaybeInstant(exhaustedAt),
    days: [],
    by_day: null,
  };
}

function describeBudget(name: string, budget: SpendingBudget | undefined, accounts: readonly string[]) {
  const scope = budget?.scope;
  return {
    is_of_all: scope?.kind === 'account' && accounts.length === 1 && accounts[0] === scope.account,
    budget: name,
    scope: budget === undefined ? '' : nameBudgetScope(budget),
  };
}
