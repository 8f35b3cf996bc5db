import { scopeOf } from './cost/budget-scope.ts';
import { amountNumber } from './cost/money.ts';
import { expectCompute, expectCost, forecastScope } from './cost/scope-forecast.ts';
import { watchSpending } from './cost/spending.ts';
import { compact } from './resources/field.ts';
import type { SpendingBudget } from './resources/spending-budget.ts';
import type { BudgetUse } from './resources/usage-view.ts';
import { priceScope, type UsageBasis } from './usage-basis.ts';
import { budgetScopeName } from './usage-setting.ts';

/** No day, week, month or billing period of a price book is much longer. */
const longestPeriodMs = 32 * 86_400_000;

export function viewBudget(basis: UsageBasis, budget: SpendingBudget, now: number): BudgetUse {
  const { ledger, groups, billing, setting, book, costing } = basis;
  const spending = { ledger, costing, groups, billing, zone: setting.zone };
  const state = watchSpending(budget, spending, now, expectationOf(basis, budget, now));
  return {
    budget: budget.name,
    unit: budget.limit.kind === 'compute' ? 'compute_hours' : (book?.displayCurrency ?? ''),
    period: state.period,
    limit: amountNumber(state.limit),
    spent: amountNumber(state.spent),
    usedRatio: state.usedRatio,
    ...compact({ projected: state.projected, exhaustedAt: state.reachedAt }),
    burnRates: state.burnRates,
  };
}

/** Undefined while too little is known to expect anything. */
function expectationOf(
  basis: UsageBasis,
  budget: SpendingBudget,
  now: number,
): Parameters<typeof watchSpending>[3] {
  const past = basis.survey?.pasts.get(budgetScopeName(budget));
  if (past === undefined) return undefined;
  const { hasProject } = scopeOf(budget, basis.groups);
  const price = priceScope(basis, now, hasProject);
  if (budget.limit.kind === 'money' && price === undefined) return undefined;
  const farthest = now + longestPeriodMs;
  const scope = forecastScope(past, farthest);
  if (scope === undefined) return undefined;
  return stretch =>
    budget.limit.kind === 'compute' || price === undefined
      ? expectCompute(scope, stretch)
      : expectCost(scope, price, stretch);
}
