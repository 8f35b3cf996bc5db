import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert } from './alert.ts';
import type { RuleScope } from './rule-scope.ts';

const { usedRatio, projectedRatio, projectedBoundRatio, thresholdRatio, burnRateRatio } = budgetUsageFamilies;

const budget = { job: 'dbpm', instance: 'dbpm:10062', budget: 'web' } as const;

/** Joins stay within an instance; each threshold of a budget has a sample of its own. */
const onBudget = labelList('on', usedRatio, 'instance', 'budget');
const perThreshold = `${onBudget} group_right ()`;
const onThreshold = labelList('on', thresholdRatio, 'instance', 'budget', 'threshold');

/** Days of a kind differ, but hardly by so many times. */
const usualFactor = 2;

const half = { ...budget, kind: 'spent', threshold: '50%' } as const;

/** How fast each budget was spent in the time looked back. */
function burnRate(scope: RuleScope, window: string): string {
  const without = labelList('without', burnRateRatio, 'window');
  return `max ${without} (${scope.select(burnRateRatio, { window })})`;
}

/** Leaves out what came as fast a week before, two hours sooner or later: a weekly job is no runaway. */
function unlessUsual(scope: RuleScope): string {
  const without = labelList('without', burnRateRatio, 'window');
  const aWeekBefore = `max_over_time(${scope.select(burnRateRatio, { window: '6h' })}[4h] offset 166h)`;
  return `unless ${burnRate(scope, '6h')} < ${usualFactor} * max ${without} (${aWeekBefore})`;
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
    keepFiringFor: '30m',
    thresholds: {
      share: { kind: 'number', default: '1', help: 'the part of the limit that is as good as all of it' },
    },
    board: 'dbpm-usage-cost',
    summary: 'A spending budget is used up.',
    headline: '{{ $value | humanizePercentage }} of budget {{ $labels.budget }} is spent.',
    description:
      '{{ $value | humanizePercentage }} of budget {{ $labels.budget }} is spent and its period is not over. See on the board who spends it and what could be saved, stop what can wait, or raise the limit.',
    expression: (scope, { share }) => `${scope.select(usedRatio)} >= ${share}`,
    examples: {
      fires: {
        // Spent little by little, and in the next period from the beginning again.
        series: { [select(usedRatio, budget)]: '0.9+0.01x30 0x40' },
        quietAt: '14m',
        firesAt: '15m',
        resolvedAt: '61m',
        labels: budget,
        headline: '105% of budget web is spent.',
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
    name: 'DbpmBudgetThresholdReached',
    severity: 'info',
    for: '5m',
    keepFiringFor: '30m',
    thresholds: {},
    board: 'dbpm-usage-cost',
    summary: 'A spending budget has reached one of its thresholds.',
    headline:
      '{{ $value | humanizePercentage }} of budget {{ $labels.budget }} is spent, above {{ $labels.threshold }}.',
    description:
      '{{ $value | humanizePercentage }} of budget {{ $labels.budget }} is spent, above {{ $labels.threshold }}. See on the board when it runs out, and what could be saved until then.',
    // All of it has an alert of its own.
    expression: scope =>
      `${scope.select(usedRatio)} >= ${perThreshold} ${scope.select(thresholdRatio, { kind: 'spent', threshold: { not: '100%' } })}`,
    examples: {
      fires: {
        series: {
          [select(thresholdRatio, half)]: '0.5x120',
          [select(thresholdRatio, { ...half, threshold: '80%' })]: '0.8x120',
          // A restart leaves it out for some minutes; then the next period begins.
          [select(usedRatio, budget)]: '0.4+0.01x30 _x9 0.71x20 0x60',
        },
        quietAt: '14m',
        firesAt: '39m',
        resolvedAt: '91m',
        labels: half,
        headline: '70% of budget web is spent, above 50%.',
        description:
          '70% of budget web is spent, above 50%. See on the board when it runs out, and what could be saved until then.',
      },
      quiet: {
        series: {
          [select(thresholdRatio, half)]: '0.5x60',
          [select(thresholdRatio, { ...half, kind: 'projected' })]: '0.4x60',
          [select(usedRatio, budget)]: '0.49x60',
        },
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
    headline: 'Budget {{ $labels.budget }} is being spent {{ $value | humanize }} times as fast as it lasts.',
    description:
      'Budget {{ $labels.budget }} is being spent {{ $value | humanize }} times as fast as it lasts, for hours now. Look on the board for the project behind it: a runaway query, a load test, or a job that does not end.',
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
        headline: 'Budget web is being spent 12 times as fast as it lasts.',
        description:
          'Budget web is being spent 12 times as fast as it lasts, for hours now. Look on the board for the project behind it: a runaway query, a load test, or a job that does not end.',
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
    summary: 'A spending budget will be used up before its period ends.',
    headline:
      '{{ $value | humanizePercentage }} of budget {{ $labels.budget }} will be spent by the end of its period, above {{ $labels.threshold }}.',
    description:
      'The forecast says that {{ $value | humanizePercentage }} of budget {{ $labels.budget }} will be spent by the end of its period, above {{ $labels.threshold }}. See on the board when it runs out and what could be saved, or plan a higher limit while there is time.',
    expression: (scope, { rate }) => {
      const threshold = scope.select(thresholdRatio, { kind: 'projected' });
      return [
        `${scope.select(projectedRatio)} >= ${perThreshold} ${rate} * ${threshold}`,
        `unless ${onThreshold} (${scope.select(usedRatio)} >= ${perThreshold} ${threshold})`,
      ].join('\n');
    },
    examples: {
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
        headline: '130% of budget web will be spent by the end of its period, above 110%.',
        description:
          'The forecast says that 130% of budget web will be spent by the end of its period, above 110%. See on the board when it runs out and what could be saved, or plan a higher limit while there is time.',
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
  defineAlert({
    name: 'DbpmBudgetWillRunOut',
    severity: 'warning',
    for: '6h',
    keepFiringFor: '1d',
    thresholds: {
      share: { kind: 'number', default: '1', help: 'the part of the limit that is as good as all of it' },
    },
    board: 'dbpm-usage-cost',
    summary: 'A spending budget will almost surely be used up before its period ends.',
    headline:
      'At least {{ $value | humanizePercentage }} of budget {{ $labels.budget }} will be spent by the end of its period.',
    description:
      'Even if the forecast is as far too high as in one period in ten, {{ $value | humanizePercentage }} of budget {{ $labels.budget }} will be spent by the end of its period. Decide now what is stopped, or raise the limit.',
    expression: (scope, { share }) =>
      [
        `${scope.select(projectedBoundRatio, { bound: 'low80' })} >= ${share}`,
        `unless ${onBudget} ${scope.select(usedRatio)} >= ${share}`,
      ].join('\n'),
    examples: {
      fires: {
        // The forecast is lowered for an hour only, then for good.
        series: {
          [select(projectedBoundRatio, { ...budget, bound: 'low80' })]:
            '0.98x9 1.02x500 0.99x60 1.02x60 0.9x1500',
          [select(usedRatio, budget)]: '0.8x2200',
        },
        quietAt: '369m',
        firesAt: '600m',
        resolvedAt: '2073m',
        labels: { ...budget, bound: 'low80' },
        headline: 'At least 102% of budget web will be spent by the end of its period.',
        description:
          'Even if the forecast is as far too high as in one period in ten, 102% of budget web will be spent by the end of its period. Decide now what is stopped, or raise the limit.',
      },
      quiet: {
        // Likely, but far from sure.
        series: {
          [select(projectedBoundRatio, { ...budget, bound: 'low80' })]: '0.95x600',
          [select(projectedBoundRatio, { ...budget, bound: 'high80' })]: '1.4x600',
          [select(projectedRatio, budget)]: '1.15x600',
          [select(usedRatio, budget)]: '0.8x600',
        },
        at: '600m',
      },
    },
  }),
];
