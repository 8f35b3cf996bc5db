import {
  type BudgetScope,
  chargedPeriod,
  hasCharge,
  scopeOf,
  watchSpending,
} from '../../cost/budget/spending.ts';
import type { Period } from '../../cost/calendar/calendar.ts';
import { addCharges, withMetered } from '../../cost/forecast/charge-projection.ts';
import { forecastUse } from '../../cost/forecast/forecast.ts';
import { meteredCost } from '../../cost/forecast/projected-meter.ts';
import { forecastCompute, forecastCost } from '../../cost/forecast/scope-forecast.ts';
import { amountNumber } from '../../cost/money/money.ts';
import { type CostLine, sumLines } from '../../cost/rating/cost-line.ts';
import { compact } from '../../resources/field.ts';
import { type SpendingBudget, usualThresholds } from '../../resources/spending-budget.ts';
import type { BudgetUsage } from '../../resources/usage/view.ts';
import { budgetScopeName } from './options.ts';
import { priceScope, projectCharges, type UsageSnapshot } from './snapshot.ts';

/** What the state of a budget follows from. */
type BudgetSnapshot = Omit<UsageSnapshot, 'history'>;

/** Whether use or cost of an account counts against a budget that is not known as its first import is under way. */
export function countsImported(
  { history, ledger, groups, options }: UsageSnapshot,
  budget: SpendingBudget,
): boolean {
  const { hasProject, hasCharges } = scopeOf(budget, groups);
  const importing = options.accounts.filter(account => history.isImporting(account));
  return importing.some(
    account =>
      hasCharges(account) ||
      ledger.projects.some(project => project.account === account && hasProject(project)),
  );
}

/**
 * The state of a budget in its period, with burn rates and a forecast where enough is known.
 *
 * @param now until when use is known; epoch milliseconds by the service's clock.
 */
export function viewBudget(snapshot: BudgetSnapshot, budget: SpendingBudget, now: number): BudgetUsage {
  const { ledger, groups, billing, options, book, costing } = snapshot;
  const spending = { ledger, costing, groups, billing, zone: options.zone };
  const state = watchSpending(budget, spending, now, forecastOf(snapshot, budget, now));
  return {
    budget: budget.name,
    unit: budget.limit.kind === 'compute' ? 'compute_hours' : (book?.displayCurrency ?? ''),
    period: state.period,
    limit: amountNumber(state.limit),
    spent: amountNumber(state.spent),
    usedRatio: state.usedRatio,
    thresholds: { ...usualThresholds, ...budget.thresholds },
    ...compact({
      projected: state.projected,
      projectedBounds: state.projectedBounds,
      // A part of the spending reaches the limit later than all of it, or never.
      exhaustedAt: options.shard === undefined ? state.reachedAt : undefined,
    }),
    burnRates: state.burnRates,
  };
}

/** The forecast of the use or cost that counts against a budget; undefined while too little is known. */
function forecastOf(
  snapshot: BudgetSnapshot,
  budget: SpendingBudget,
  now: number,
): Parameters<typeof watchSpending>[3] {
  const rolled = snapshot.analysis?.forecasts.get(budgetScopeName(budget));
  if (rolled === undefined) return undefined;
  const counted = scopeOf(budget, snapshot.groups);
  const price = priceScope(snapshot, now, counted.hasProject);
  if (budget.limit.kind === 'money' && price === undefined) return undefined;
  const projection = projectCharges(snapshot, now);
  return (stretch, period) => {
    const forecast = forecastUse(rolled, stretch.untilAt);
    if (forecast === undefined) return undefined;
    if (budget.limit.kind === 'compute' || price === undefined) return forecastCompute(forecast, stretch);
    const usage = forecastCost(forecast, price, stretch);
    if (projection === undefined) return usage;
    const begun = chargedPeriod(budget, period, snapshot.options.zone);
    const isMeant = (line: CostLine) => hasCharge(counted, line);
    const charged = sumLines(snapshot.costing.chargeLines(begun, now).filter(isMeant)).amount;
    const past = snapshot.analysis?.meteredPasts.get(budgetScopeName(budget));
    const metered = projection.metered(period, counted.hasProject, past);
    const spent =
      amountNumber(charged) + meteredSoFar(snapshot, { fromAt: period.fromAt, untilAt: now }, counted);
    return addCharges(usage, withMetered(projection.charges(begun, isMeant), metered), spent);
  };
}

/** What the projects of a budget were metered at a price; nothing is looked up where there is no meter. */
function meteredSoFar(
  { ledger, costing }: BudgetSnapshot,
  soFar: Period,
  { hasProject }: BudgetScope,
): number {
  return ledger.metered === undefined ? 0 : meteredCost(costing.usageLines(soFar, hasProject));
}
