import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert } from './alert.ts';
import type { RuleScope } from './rule-scope.ts';

const { usedRatio, projectedRatio, burnRateRatio } = budgetUsageFamilies;

const budget = { job: 'dbpm', instance: 'dbpm:10062', budget: 'web' } as const;

/** How fast each budget was spent in the time looked back. */
function burnRate(scope: RuleScope, window: string): string {
  const without = labelList('without', burnRateRatio, 'window');
  return `max ${without} (${scope.select(burnRateRatio, { window })})`;
}

/** Leaves out budgets that the forecast says will last, and those used up already, which have an alert of their own. */
function unlessSettled(scope: RuleScope): string {
  return `unless ${scope.select(projectedRatio)} <= 1\nunless ${scope.select(usedRatio)} >= 1`;
}

/** Alerts on budgets that may not last until the end of their period. */
export const spendingAlerts = [
  defineAlert({
    name: 'DbpmBudgetExhausted',
    severity: 'warning',
    for: '5m',
    thresholds: {
      share: { kind: 'number', default: '1', help: 'the part of the limit that is as good as all of it' },
    },
    board: 'dbpm-usage-cost',
    summary: 'A spending budget is used up.',
    description:
      '{{ $value | humanizePercentage }} of budget {{ $labels.budget }} is spent and its period is not over. See on the board who spends it and what could be saved, stop what can wait, or raise the limit.',
    expression: (scope, { share }) => `${scope.select(usedRatio)} >= ${share}`,
    examples: {
      fires: {
        // Spent little by little, and in the next period from the beginning again.
        series: { [select(usedRatio, budget)]: '0.9+0.01x30 0x20' },
        quietAt: '14m',
        firesAt: '15m',
        resolvedAt: '31m',
        labels: budget,
        description:
          '105% of budget web is spent and its period is not over. See on the board who spends it and what could be saved, stop what can wait, or raise the limit.',
      },
      quiet: {
        series: { [select(usedRatio, budget)]: '0.99x60', [select(projectedRatio, budget)]: '1.5x60' },
        at: '60m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmBudgetBurnsFast',
    severity: 'warning',
    for: '15m',
    keepFiringFor: '30m',
    thresholds: {
      rate: { kind: 'number', default: '6', help: 'how many times as fast as it lasts is too fast' },
    },
    board: 'dbpm-usage-cost',
    summary: 'A spending budget is being used up many times as fast as it lasts.',
    description:
      'Budget {{ $labels.budget }} is being spent {{ $value | humanize }} times as fast as it lasts, for hours now. Look on the board for the project behind it: a runaway query, a load test, or a job that does not end.',
    expression: (scope, { rate }) =>
      [
        `${burnRate(scope, '1h')} > ${rate}`,
        `and ${burnRate(scope, '6h')} > ${rate}`,
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
        quietAt: '34m',
        firesAt: '35m',
        resolvedAt: '101m',
        labels: budget,
        description:
          'Budget web is being spent 12 times as fast as it lasts, for hours now. Look on the board for the project behind it: a runaway query, a load test, or a job that does not end.',
      },
      quiet: {
        // A nightly job: an hour at full speed, and a forecast that knows it.
        series: {
          [select(burnRateRatio, { ...budget, window: '1h' })]: '12x120',
          [select(burnRateRatio, { ...budget, window: '6h' })]: '7x120',
          [select(projectedRatio, budget)]: '0.8x120',
          [select(usedRatio, budget)]: '0.3x120',
        },
        at: '120m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmBudgetBurnsSlow',
    severity: 'info',
    for: '1h',
    keepFiringFor: '1h',
    thresholds: {
      rate: { kind: 'number', default: '1', help: 'how many times as fast as it lasts is too fast' },
    },
    board: 'dbpm-usage-cost',
    summary: 'A spending budget will be used up before its period ends.',
    description:
      'Budget {{ $labels.budget }} has been spent {{ $value | humanize }} times as fast as it lasts for three days, and will not do. See on the board when it runs out and what could be saved, or plan a higher limit while there is time.',
    expression: (scope, { rate }) =>
      [
        `${burnRate(scope, '3d')} > ${rate}`,
        `and ${burnRate(scope, '1d')} > ${rate}`,
        unlessSettled(scope),
      ].join('\n'),
    examples: {
      fires: {
        // Used up in the end: then another alert takes over.
        series: {
          [select(burnRateRatio, { ...budget, window: '3d' })]: '1.5x300',
          [select(burnRateRatio, { ...budget, window: '1d' })]: '0.9x9 1.2x290',
          [select(projectedRatio, budget)]: '1.1x300',
          [select(usedRatio, budget)]: '0.8x119 1x180',
        },
        quietAt: '69m',
        firesAt: '70m',
        resolvedAt: '180m',
        labels: budget,
        description:
          'Budget web has been spent 1.5 times as fast as it lasts for three days, and will not do. See on the board when it runs out and what could be saved, or plan a higher limit while there is time.',
      },
      quiet: {
        // Working days are dearer than the days of the weekend that is to come.
        series: {
          [select(burnRateRatio, { ...budget, window: '3d' })]: '1.3x300',
          [select(burnRateRatio, { ...budget, window: '1d' })]: '1.3x300',
          [select(projectedRatio, budget)]: '0.95x300',
          [select(usedRatio, budget)]: '0.4x300',
        },
        at: '300m',
      },
    },
  }),
];
