import { operationFamilies } from '../../src/resources/operation.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hourlyGrowth } from './operation-query.ts';
import { stat, timeseries } from './panel.ts';
import { age, scoped } from './scope.ts';
import { table } from './table.ts';

/** Panels on operations of the project that failed, or did not end: empty while all is well. */
export const projectOperationSection: Section = {
  title: 'Operations that failed, or did not end',
  isFolded: true,
  panels: [
    timeseries({
      title: 'Failed attempts',
      description:
        'Failed attempts in the hour before each moment, by action; the service tries again on its own.',
      unit: 'none',
      decimals: 1,
      width: 12,
      filledBy: 'attempts failed',
      queries: [
        {
          expression: hourlyGrowth(operationFamilies.attemptFailures, 'action'),
          legend: ['action'],
        },
      ],
    }),
    table({
      title: 'Unfinished operations',
      description: 'Operations that have not reached an end.',
      width: 8,
      height: 7,
      filledBy: 'operation stuck',
      labels: [
        { label: 'action', title: 'Action', words: 'own' },
        { label: 'status', title: 'Status' },
      ],
      values: [
        {
          title: 'Operations',
          expression: `sum ${labelList('by', operationFamilies.inProgress, 'action', 'status')} (${scoped(operationFamilies.inProgress)})`,
          unit: 'none',
        },
      ],
      sortBy: 'Operations',
    }),
    stat({
      title: 'Next attempt',
      description: 'In how long the service tries an unfinished operation again, where it says so.',
      unit: 's',
      width: 4,
      height: 7,
      noValue: 'none, or not reported',
      filledBy: 'later service',
      expression: `min(${scoped(operationFamilies.nextRetryTimestamp)}) - time()`,
    }),
    table({
      title: 'Last failure by action',
      description: 'When an operation of each action last failed, ever; the latest first.',
      width: 12,
      height: 7,
      filledBy: 'operation failed',
      labels: [{ label: 'action', title: 'Action', words: 'own' }],
      values: [
        {
          title: 'Since failure',
          expression: `min ${labelList('by', operationFamilies.lastFailureTimestamp, 'action')} (${age(operationFamilies.lastFailureTimestamp)})`,
          unit: 's',
        },
      ],
      sortBy: 'Since failure',
      ascending: true,
    }),
  ],
};
