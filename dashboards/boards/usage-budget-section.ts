import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { type Bands, risingBands } from './look.ts';
import { timeseries } from './panel.ts';
import { age, scoped } from './scope.ts';
import { table, type ValueColumn } from './table.ts';
import { perBudget } from './usage-query.ts';

const { limit, spent, usedRatio, projectedRatio, burnRateRatio } = budgetUsageFamilies;
const { exhaustedTimestamp, periodStartTimestamp, periodEndTimestamp } = budgetUsageFamilies;

const tooFast: Bands = { base: 'text', above: [[1, 'orange']] };
const limitColumns = [
  { label: 'budget', title: 'Budget' },
  { label: 'unit', title: 'Unit' },
] as const;

/** Panels on budgets: spent, forecast and burn rates. */
export const usageBudgetSection: Section = {
  title: 'Will the budgets do?',
  panels: [
    table({
      title: 'Budgets',
      description:
        'What part of each budget is spent, what part will be at the end of its period, how fast it is spent (1 is exactly all of it), and when it runs out.',
      width: 14,
      labels: [{ label: 'budget', title: 'Budget' }],
      values: [
        {
          title: 'Used',
          expression: perBudget(scoped(usedRatio)),
          unit: 'percentunit',
          bands: risingBands(0.8, 1),
        },
        {
          title: 'Projected',
          expression: perBudget(scoped(projectedRatio)),
          unit: 'percentunit',
          bands: risingBands(0.9, 1),
          noValue: 'not yet known',
        },
        burnRate('Speed, 1 h', '1h'),
        burnRate('Speed, 1 d', '1d'),
        {
          title: 'Runs out in',
          expression: perBudget(`clamp_min(${scoped(exhaustedTimestamp)} - time(), 0)`),
          unit: 's',
          noValue: 'it lasts',
        },
        {
          title: 'Began',
          expression: perBudget(age(periodStartTimestamp)),
          unit: 's',
        },
        {
          title: 'Ends in',
          expression: perBudget(`${scoped(periodEndTimestamp)} - time()`),
          unit: 's',
        },
      ],
      sortBy: 'Projected',
    }),
    table({
      title: 'Limits',
      description: 'What may be spent in the period of each budget, and what is: money, or compute hours.',
      width: 10,
      labels: limitColumns,
      values: [
        { title: 'Limit', expression: inItsUnit(scoped(limit)), unit: 'none', decimals: 2 },
        { title: 'Spent', expression: inItsUnit(scoped(spent)), unit: 'none', decimals: 2 },
        {
          title: 'Left',
          expression: inItsUnit(`${scoped(limit)} - ${scoped(spent)}`),
          unit: 'none',
          decimals: 2,
        },
      ],
      sortBy: 'Budget',
      ascending: true,
    }),
    timeseries({
      title: 'Part of the budgets that is spent',
      description: 'At 100 % a budget is used up; the line falls back to 0 when its period begins anew.',
      unit: 'percentunit',
      width: 12,
      queries: [{ expression: perBudget(scoped(usedRatio)), legend: ['budget'] }],
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
          expression: `max ${labelList('by', burnRateRatio, 'budget', 'window')} (${scoped(burnRateRatio)})`,
          legend: ['budget', 'window'],
        },
      ],
    }),
  ],
};

function burnRate(title: string, window: string): ValueColumn {
  const expression = perBudget(scoped(burnRateRatio, { window }));
  return { title, expression, unit: 'none', decimals: 2, bands: tooFast };
}

function inItsUnit(expression: string): string {
  return `max ${labelList('by', limit, 'budget', 'unit')} (${expression})`;
}
