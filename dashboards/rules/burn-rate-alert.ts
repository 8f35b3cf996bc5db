import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert, inPercent, target } from './alert.ts';
import type { RuleScope } from './rule-scope.ts';
import { shardRules } from './shard-rule.ts';

const { usedRatio, projectedRatio, thresholdRatio, burnRateRatio } = budgetUsageFamilies;

const { budgetUsed, budgetProjected, budgetBurnRate, budgetThreshold } = shardRules;

const budget = { ...target, budget: 'web' } as const;

/** Joins stay within an instance; each threshold of a budget has a sample of its own. */
const onBudget = labelList('on', budgetUsed, 'instance', 'budget');
const perThreshold = `${onBudget} group_right ()`;
const onThreshold = labelList('on', budgetThreshold, 'instance', 'budget', 'threshold');

/** Days of a kind differ, but hardly by this factor. */
const usualFactor = 2;

/** How fast each budget was spent in the time looked back. */
function burnRate(scope: RuleScope, window: string): string {
  const without = labelList('without', budgetBurnRate, 'window');
  return `max ${without} (${scope.select(budgetBurnRate, { window })})`;
}

/** Leaves out what came as fast a week before, two hours sooner or later: a weekly job is no runaway. */
function unlessUsual(scope: RuleScope): string {
  const without = labelList('without', budgetBurnRate, 'window');
  const aWeekBefore = `max_over_time(${scope.select(budgetBurnRate, { window: '6h' })}[4h] offset 166h)`;
  return `unless ${burnRate(scope, '6h')} < ${usualFactor} * max ${without} (${aWeekBefore})`;
}

/** Leaves out budgets that the forecast says will last, and those used up already, which have an alert of their own. */
function unlessSettled(scope: RuleScope): string {
  return `unless ${scope.select(budgetProjected)} <= 1\nunless ${scope.select(budgetUsed)} >= 1`;
}

/** Alerts on budgets that are spent faster than they last. */
export const burnRateAlerts = [
  defineAlert({
    name: 'DbpmBudgetBurnsFast',
    severity: 'warning',
    for: '15m',
    keepFiringFor: '30m',
    thresholds: {
      rate: { kind: 'number', default: '6', help: 'how many times as fast as it lasts is too fast' },
    },
    board: 'dbpm-usage-cost',
    summary: 'A budget is being used up too fast.',
    headline: 'Budget {{ $labels.budget }} is being spent {{ $value | humanize }} times as fast as it lasts.',
    description:
      'Budget {{ $labels.budget }} is being spent {{ $value | humanize }} times as fast as it lasts, for hours now. Look on the board for the project behind it: a runaway query, a load test, or a job that is stuck.',
    expression: (scope, { rate }) =>
      [
        `${burnRate(scope, '1h')} > ${rate}`,
        `and ${burnRate(scope, '6h')} > ${rate}`,
        unlessUsual(scope),
        unlessSettled(scope),
      ].join('\n'),
    examples: {
      fires: {
        // The last hour is too fast from the tenth minute on, the last six are from the twentieth on.
        series: {
          [select(burnRateRatio, { ...budget, window: '1h' })]: '1x9 12x60 0.5x60',
          [select(burnRateRatio, { ...budget, window: '6h' })]: '1x19 8x120',
          [select(projectedRatio, budget)]: '1.4x140',
          [select(usedRatio, budget)]: '0.3x140',
        },
        quietAt: '30m',
        firesAt: '35m',
        resolvedAt: '105m',
        labels: budget,
        value: '12',
      },
      quiet: {
        // A weekly job that takes most of a budget that is too small: the same as a week before.
        series: {
          [select(burnRateRatio, { ...budget, window: '1h' })]: '0.2x59 12x120 0.2x9959 13x120',
          [select(burnRateRatio, { ...budget, window: '6h' })]: '0.2x59 7x120 0.2x9959 8x120',
          [select(projectedRatio, budget)]: '1.4x10300',
          [select(usedRatio, budget)]: '0.3x10300',
        },
        at: '10230m',
      },
      evaluatedEvery: '5m',
    },
  }),
  defineAlert({
    name: 'DbpmBudgetBurnsSlow',
    severity: 'info',
    for: '6h',
    keepFiringFor: '1d',
    thresholds: {
      rate: { kind: 'number', default: '1', help: 'how many times its threshold is too much' },
    },
    board: 'dbpm-usage-cost',
    summary: 'A budget will likely run out.',
    headline:
      '{{ $value | printf "%.0f%%" }} of budget {{ $labels.budget }} will be spent by the end of its period, above {{ $labels.threshold }}.',
    description:
      'The forecast says that {{ $value | printf "%.0f%%" }} of budget {{ $labels.budget }} will be spent by the end of its period, above {{ $labels.threshold }}. See on the board when it runs out and what could be saved, or plan a higher limit while there is time.',
    expression: (scope, { rate }) => {
      const threshold = scope.select(budgetThreshold, { kind: 'projected' });
      return [
        inPercent(`${scope.select(budgetProjected)} >= ${perThreshold} ${rate} * ${threshold}`),
        `unless ${onThreshold} (${scope.select(budgetUsed)} >= ${perThreshold} ${threshold})`,
      ].join('\n');
    },
    examples: {
      evaluatedEvery: '5m',
      fires: {
        // Used up in the end: then another alert takes over.
        series: {
          [select(thresholdRatio, { ...budget, kind: 'projected', threshold: '110%' })]: '1.1x3000',
          [select(thresholdRatio, { ...budget, kind: 'spent', threshold: '110%' })]: '1.1x3000',
          [select(projectedRatio, budget)]: '1.05x9 1.3x2990',
          [select(usedRatio, budget)]: '0.95x599 1.1x2400',
        },
        quietAt: '369m',
        firesAt: '370m',
        resolvedAt: '2040m',
        labels: { ...budget, kind: 'projected', threshold: '110%' },
        value: '130%',
      },
      quiet: {
        // Fast working days, and a weekend that the forecast knows of.
        series: {
          [select(thresholdRatio, { ...budget, kind: 'projected', threshold: '100%' })]: '1x600',
          [select(burnRateRatio, { ...budget, window: '3d' })]: '1.3x600',
          [select(burnRateRatio, { ...budget, window: '1d' })]: '1.3x600',
          [select(projectedRatio, budget)]: '0.95x600',
          [select(usedRatio, budget)]: '0.4x600',
        },
        at: '600m',
      },
    },
  }),
];
