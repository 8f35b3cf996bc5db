import { budgetLabels, declareFor, seconds } from '../family.ts';
import type { BudgetUsage, ForecastBounds } from './view.ts';

const { gauge, gaugeBy } = declareFor<BudgetUsage>()(budgetLabels);

const bounds = ['low80', 'high80', 'low95', 'high95'] as const satisfies (keyof ForecastBounds)[];

/** How spending budgets stand, in money or in compute hours: their unit says which. */
export const budgetUsageFamilies = {
  limit: gaugeBy(
    'dbpm_budget_limit',
    'What may be spent in the period of the budget: money in the currency `unit`, or compute_hours.',
    ['unit'],
    ({ limit, unit }, emit) => emit(limit, unit),
  ),
  spent: gaugeBy(
    'dbpm_budget_spent',
    'What was spent since the period of the budget began, in the same unit.',
    ['unit'],
    ({ spent, unit }, emit) => emit(spent, unit),
  ),
  usedRatio: gauge(
    'dbpm_budget_used_ratio',
    'Part of the limit that is spent.',
    ({ usedRatio }) => usedRatio,
  ),
  projectedRatio: gauge(
    'dbpm_budget_projected_ratio',
    'What will be spent at the end of the period, as a part of the limit.',
    ({ projected, limit }) => (limit > 0 ? over(projected, limit) : undefined),
  ),
  projectedBoundRatio: gaugeBy(
    'dbpm_budget_projected_bound_ratio',
    'Bounds of what will be spent at the end of the period, as parts of the limit: 80% and 95% of periods come out within them.',
    ['bound'],
    ({ projectedBounds, limit }, emit) => {
      if (limit > 0) for (const bound of bounds) emit(over(projectedBounds?.[bound], limit), bound);
    },
  ),
  thresholdRatio: gaugeBy(
    'dbpm_budget_threshold_ratio',
    'Parts of the limit at which alerts are wanted: of what is spent, or of what is projected.',
    ['kind', 'threshold'],
    ({ thresholds }, emit) => {
      for (const kind of ['spent', 'projected'] as const) {
        for (const part of thresholds[kind]) emit(part, kind, renderThreshold(part));
      }
    },
  ),
  burnRateRatio: gaugeBy(
    'dbpm_budget_burn_rate_ratio',
    'How many times as fast as it lasts it was spent in the time looked back.',
    ['window'],
    ({ burnRates }, emit) => {
      for (const { window, rate } of burnRates) emit(rate, window);
    },
  ),
  exhaustedTimestamp: gauge(
    'dbpm_budget_exhausted_timestamp_seconds',
    'When the limit is reached, or was; absent if it will not be in this period.',
    ({ exhaustedAt }) => seconds(exhaustedAt),
  ),
  periodStartTimestamp: gauge(
    'dbpm_budget_period_start_timestamp_seconds',
    'When the period of the budget began.',
    ({ period }) => seconds(period.fromAt),
  ),
  periodEndTimestamp: gauge(
    'dbpm_budget_period_end_timestamp_seconds',
    'When the period of the budget ends and the next one begins.',
    ({ period }) => seconds(period.untilAt),
  ),
};

function over(amount: number | undefined, limit: number): number | undefined {
  return amount === undefined ? undefined : amount / limit;
}

/** As it is written in the configuration: `80%`. */
function renderThreshold(part: number): string {
  return `${Number((part * 100).toFixed(2))}%`;
}
