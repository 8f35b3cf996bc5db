import { declareFor, seconds } from '../family.ts';
import { budgetLabels } from '../scope-label.ts';
import type { BudgetUsage } from './view.ts';

const { gauge } = declareFor<BudgetUsage>()(budgetLabels);

/** How spending budgets stand, in money or in compute hours: their unit says which. */
export const budgetUsageFamilies = {
  limit: gauge(
    'dbpm_budget_limit',
    'What may be spent in the period of the budget: money in the currency `unit`, or compute_hours.',
    ['unit'],
    ({ limit, unit }, emit) => emit(limit, unit),
  ),
  spent: gauge(
    'dbpm_budget_spent',
    'What was spent since the period of the budget began, in the same unit.',
    ['unit'],
    ({ spent, unit }, emit) => emit(spent, unit),
  ),
  usedRatio: gauge('dbpm_budget_used_ratio', 'Part of the limit that is spent.', [], ({ usedRatio }, emit) =>
    emit(usedRatio),
  ),
  projectedRatio: gauge(
    'dbpm_budget_projected_ratio',
    'What will be spent at the end of the period, as a part of the limit; absent while too little is known.',
    [],
    ({ projected, limit }, emit) =>
      emit(limit > 0 && projected !== undefined ? projected / limit : undefined),
  ),
  burnRateRatio: gauge(
    'dbpm_budget_burn_rate_ratio',
    'How many times as fast it was spent in the time looked back as would use up the limit exactly at the end of the period.',
    ['window'],
    ({ burnRates }, emit) => {
      for (const { window, rate } of burnRates) emit(rate, window);
    },
  ),
  exhaustedTimestamp: gauge(
    'dbpm_budget_exhausted_timestamp_seconds',
    'When the limit is reached, or was; absent if it will not be in this period.',
    [],
    ({ exhaustedAt }, emit) => emit(seconds(exhaustedAt)),
  ),
  periodStartTimestamp: gauge(
    'dbpm_budget_period_start_timestamp_seconds',
    'When the period of the budget began.',
    [],
    ({ period }, emit) => emit(seconds(period.fromAt)),
  ),
  periodEndTimestamp: gauge(
    'dbpm_budget_period_end_timestamp_seconds',
    'When the period of the budget ends and the next one begins.',
    [],
    ({ period }, emit) => emit(seconds(period.untilAt)),
  ),
};
