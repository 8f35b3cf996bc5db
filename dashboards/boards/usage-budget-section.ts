import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { type Bands, money, risingBands, toMappings } from './look.ts';
import { timeseries } from './panel.ts';
import { age, scoped } from './scope.ts';
import { sumOverShards } from './shard-sum.ts';
import { table, type ValueColumn } from './table.ts';
import { perBudget, sumPerBudget } from './usage-query.ts';

const { limit, spent, usedRatio, projectedRatio, burnRateRatio } = budgetUsageFamilies;
const { projectedBoundRatio, thresholdRatio } = budgetUsageFamilies;
const { exhaustedTimestamp, periodStartTimestamp, periodEndTimestamp } = budgetUsageFamilies;

const spentInItsUnit = sumOverShards(scoped(spent), spent, 'budget', 'unit');

const tooFast: Bands = { base: 'text', above: [[1, 'orange']] };

/** Panels on budgets: spent, forecast and burn rates. */
export const usageBudgetSection: Section = {
  title: 'Will the budgets do?',
  panels: [
    table({
      title: 'Budgets',
      description:
        'What may be spent of each budget and what is, in money or compute hours; what part that is and will be at the end of its period, and nine times in ten at least; how fast it is spent (1 is exactly all of it), and when it is used up.',
      width: 24,
      height: 7,
      labels: [
        { label: 'budget', title: 'Budget' },
        { label: 'unit', title: 'Unit', width: 130, words: { compute_hours: 'compute hours' } },
      ],
      values: [
        { title: 'Limit', expression: inItsUnit(scoped(limit)), ...money },
        { title: 'Spent', expression: spentInItsUnit, ...money },
        { title: 'Left', expression: `${inItsUnit(scoped(limit))} - ${spentInItsUnit}`, ...money },
        {
          title: 'Used',
          expression: sumPerBudget(scoped(usedRatio)),
          unit: 'percentunit',
          decimals: 0,
          bands: risingBands(0.8, 1),
        },
        {
          title: 'Projected',
          expression: sumPerBudget(scoped(projectedRatio)),
          unit: 'percentunit',
          decimals: 0,
          bands: risingBands(0.9, 1),
          noValue: 'not yet known',
        },
        {
          title: 'At least',
          expression: sumPerBudget(scoped(projectedBoundRatio, { bound: 'low80' })),
          unit: 'percentunit',
          decimals: 0,
          bands: risingBands(0.9, 1),
          noValue: 'not yet known',
        },
        burnRate('Speed, 1 h', '1h'),
        burnRate('Speed, 1 d', '1d'),
        {
          title: 'Lasts',
          expression: perBudget(`clamp_min(${scoped(exhaustedTimestamp)} - time(), 0)`),
          unit: 's',
          noValue: 'to the end',
          bands: { base: 'text', above: [[1, 'orange']] },
          mappings: toMappings([[0, 'used up', 'red']]),
        },
        { title: 'Began', expression: perBudget(age(periodStartTimestamp)), unit: 's' },
        {
          title: 'Ends in',
          expression: perBudget(`${scoped(periodEndTimestamp)} - time()`),
          unit: 's',
        },
      ],
      sortBy: 'Projected',
    }),
    timeseries({
      title: 'Part of the budgets that is spent',
      description:
        'At the red line a budget is used up; it falls back to 0 when its period begins anew. Level lines are the thresholds that have an alert.',
      unit: 'percentunit',
      limit: 1,
      width: 12,
      queries: [
        { expression: sumPerBudget(scoped(usedRatio)), legend: ['budget'] },
        {
          expression: `max ${labelList('by', thresholdRatio, 'budget', 'threshold')} (${scoped(thresholdRatio, { kind: 'spent' })})`,
          legend: ['budget', 'threshold'],
        },
      ],
    }),
    timeseries({
      title: 'How fast the budgets are spent',
      description:
        'How many times as fast as would use up the budget exactly at the end of its period, in the time looked back.',
      unit: 'none',
      decimals: 2,
      width: 12,
      queries: [
        {
          expression: sumOverShards(scoped(burnRateRatio), burnRateRatio, 'budget', 'window'),
          legend: ['budget', 'window'],
        },
      ],
    }),
  ],
};

function burnRate(title: string, window: string): ValueColumn {
  const expression = sumPerBudget(scoped(burnRateRatio, { window }));
  return { title, expression, unit: 'none', decimals: 2, bands: tooFast };
}

function inItsUnit(expression: string): string {
  return `max ${labelList('by', limit, 'budget', 'unit')} (${expression})`;
}
