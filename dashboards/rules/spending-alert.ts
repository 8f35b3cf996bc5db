import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert, inPercent, target } from './alert.ts';
import { shardRules } from './shard-rule.ts';

const { usedRatio, projectedRatio, projectedBoundRatio, thresholdRatio } = budgetUsageFamilies;

const { budgetUsed, budgetProjectedBound, budgetThreshold } = shardRules;

const budget = { ...target, budget: 'web' } as const;

/** Joins stay within an instance; each threshold of a budget has a sample of its own. */
const onBudget = labelList('on', budgetUsed, 'instance', 'budget');
const perThreshold = `${onBudget} group_right ()`;

const half = { ...budget, kind: 'spent', threshold: '50%' } as const;

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
    summary: 'A budget is used up.',
    headline: '{{ $value | printf "%.0f%%" }} of budget {{ $labels.budget }} is spent.',
    description:
      '{{ $value | printf "%.0f%%" }} of budget {{ $labels.budget }} is spent and its period is not over. See on the board who spends it and what could be saved, stop what can wait, or raise the limit.',
    expression: (scope, { share }) => inPercent(`${scope.select(budgetUsed)} >= ${share}`),
    examples: {
      fires: {
        // Spent little by little, and in the next period from the beginning again.
        series: { [select(usedRatio, budget)]: '0.9+0.01x30 0x40' },
        quietAt: '14m',
        firesAt: '15m',
        resolvedAt: '61m',
        labels: budget,
        value: '105%',
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
    summary: 'A budget has reached a threshold.',
    headline:
      '{{ $value | printf "%.0f%%" }} of budget {{ $labels.budget }} is spent, above {{ $labels.threshold }}.',
    description:
      '{{ $value | printf "%.0f%%" }} of budget {{ $labels.budget }} is spent, above {{ $labels.threshold }}. See on the board when it runs out, and what could be saved until then.',
    // All of it has an alert of its own.
    expression: scope =>
      inPercent(
        `${scope.select(budgetUsed)} >= ${perThreshold} ${scope.select(budgetThreshold, { kind: 'spent', threshold: { not: '100%' } })}`,
      ),
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
        value: '70%',
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
    name: 'DbpmBudgetWillRunOut',
    severity: 'warning',
    for: '6h',
    keepFiringFor: '1d',
    thresholds: {
      share: { kind: 'number', default: '1', help: 'the part of the limit that is as good as all of it' },
    },
    board: 'dbpm-usage-cost',
    summary: 'A budget will almost surely run out.',
    headline:
      'At least {{ $value | printf "%.0f%%" }} of budget {{ $labels.budget }} will be spent by the end of its period.',
    description:
      'Even if the forecast is as far too high as in one period in ten, {{ $value | printf "%.0f%%" }} of budget {{ $labels.budget }} will be spent by the end of its period. Decide now what is stopped, or raise the limit.',
    expression: (scope, { share }) =>
      [
        inPercent(`${scope.select(budgetProjectedBound, { bound: 'low80' })} >= ${share}`),
        `unless ${onBudget} ${scope.select(budgetUsed)} >= ${share}`,
      ].join('\n'),
    examples: {
      evaluatedEvery: '5m',
      fires: {
        // The forecast is lowered for an hour only, then for good.
        series: {
          [select(projectedBoundRatio, { ...budget, bound: 'low80' })]:
            '0.98x9 1.02x500 0.99x60 1.02x60 0.9x1500',
          [select(usedRatio, budget)]: '0.8x2200',
        },
        quietAt: '369m',
        firesAt: '600m',
        resolvedAt: '2075m',
        labels: { ...budget, bound: 'low80' },
        value: '102%',
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
