import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { select } from '../promql.ts';
import { account, defineAlert } from './alert.ts';

const { requestDemand, requestBudget, oldestDueTimestamp } = selfFamilies;

/** Whether the request budget of each account is enough. */
export const budgetAlerts = [
  defineAlert({
    name: 'DbpmRequestBudgetTooSmall',
    severity: 'warning',
    for: '15m',
    keepFiringFor: '15m',
    thresholds: {
      overdue: {
        kind: 'duration',
        default: '30m',
        help: 'a reading that has been due for longer is too late',
      },
    },
    board: 'dbpm-exporter',
    summary: 'The request budget of an account is too small.',
    headline:
      'The request budget of account {{ $labels.account }} is too small: a reading has been due for {{ $value | humanizeDuration }}.',
    description:
      'Account {{ $labels.account }} needs more requests than its budget allows: a reading has been due for {{ $value | humanizeDuration }}. Run "dbpm-exporter plan" where it runs: it says which requests_per_minute or collect.idle_refresh would do.',
    expression: (scope, { overdue }) =>
      [
        `time() - ${scope.select(oldestDueTimestamp)} > ${overdue}`,
        `and ${scope.select(requestDemand)} > ${scope.select(requestBudget)}`,
      ].join('\n'),
    examples: {
      fires: {
        series: {
          [select(requestDemand, account)]: '3760x120',
          [select(requestBudget, account)]: '700x70 4000x50',
          // Due since the first minute, and not read before the budget is raised.
          [select(oldestDueTimestamp, account)]: '60x70 4260+60x50',
        },
        quietAt: '46m',
        firesAt: '47m',
        resolvedAt: '87m',
        labels: account,
        value: '46m 0s',
      },
      quiet: {
        // Busy projects alone want more than there is, and nothing waits for long.
        series: {
          [select(requestDemand, account)]: '3760x120',
          [select(requestBudget, account)]: '700x120',
          [select(oldestDueTimestamp, account)]: '-60+60x120',
        },
        at: '120m',
      },
    },
  }),
];
