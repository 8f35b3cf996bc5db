import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { type Bands, money, risingBands, toMappings } from './look.ts';
import { timeline } from './panel.ts';
import { scoped } from './scope.ts';
import { sumOverShards } from './shard-sum.ts';
import { table, type ValueColumn } from './table.ts';
import { perBudget, sumPerBudget } from './usage-query.ts';

const { limit, spent, usedRatio, projectedRatio, burnRateRatio } = budgetUsageFamilies;
const { projectedBoundRatio, thresholdRatio } = budgetUsageFamilies;
const { exhaustedTimestamp, periodEndTimestamp } = budgetUsageFamilies;

const spentInItsUnit = sumOverShards(scoped(spent), spent, 'budget', 'unit');

const mostlySpent = risingBands(0.8, 1);
const tooFast: Bands = { base: 'text', above: [[1, 'orange']] };

/** Panels on budgets: spent, forecast and burn rates. */
export const usageBudgetSection: Section = {
  title: 'Will the budgets do?',
  panels: [
    table({
      title: 'Budgets',
      description:
        'What may be spent of each budget and what is, in money or compute hours; what part that is and will be at the end of its period, and nine times in ten at least; how fast it is spent (1 is exactly all of it), when it is used up, and at which part of it the next alert is.',
      width: 24,
      height: 7,
      labels: [
        { label: 'budget', title: 'Budget' },
        { label: 'unit', title: 'Unit', width: 130, words: 'own' },
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
          bands: mostlySpent,
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
        {
          title: 'Next alert',
          expression: nextThreshold(),
          unit: 'percentunit',
          decimals: 0,
          noValue: 'none',
        },
        {
          title: 'Ends in',
          expression: perBudget(`${scoped(periodEndTimestamp)} - time()`),
          unit: 's',
        },
      ],
      sortBy: 'Projected',
    }),
    timeline({
      title: 'Part of the budgets that is spent',
      description:
        'A row for each budget: orange from 80% on, red when it is used up. It begins anew with the period of the budget.',
      unit: 'percentunit',
      decimals: 0,
      height: 14,
      bands: mostlySpent,
      queries: [{ expression: sumPerBudget(scoped(usedRatio)), legend: ['budget'] }],
    }),
    timeline({
      title: 'How fast the budgets are spent',
      description:
        'A row for each budget: how many times as fast as would use it up exactly at the end of its period, in the day before each moment. Orange is too fast, red more than twice so.',
      decimals: 1,
      height: 14,
      bands: risingBands(1, 2),
      queries: [{ expression: sumPerBudget(scoped(burnRateRatio, { window: '1d' })), legend: ['budget'] }],
    }),
  ],
};

function burnRate(title: string, window: string): ValueColumn {
  const expression = sumPerBudget(scoped(burnRateRatio, { window }));
  return { title, expression, decimals: 2, bands: tooFast };
}

/** The lowest of the parts with an alert that is not spent yet. */
function nextThreshold(): string {
  const on = `${labelList('on', usedRatio, 'budget')} group_left ()`;
  const thresholds = scoped(thresholdRatio, { kind: 'spent' });
  return `min ${labelList('by', thresholdRatio, 'budget')} (${thresholds} > ${on} ${sumPerBudget(scoped(usedRatio))})`;
}

function inItsUnit(expression: string): string {
  return `max ${labelList('by', limit, 'budget', 'unit')} (${expression})`;
}
