import { operationFamilies } from '../../src/resources/operation.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { durationQuantile, endedPerMinute } from './operation-query.ts';
import { timeseries } from './panel.ts';
import { scoped } from './scope.ts';
import { table } from './table.ts';

/** Panels on the number of operations and their durations. */
export const operationFlowSection: Section = {
  title: 'Flow',
  panels: [
    timeseries({
      title: 'Operations by action',
      description: 'Operations a minute that reached an end.',
      filledBy: 'operation ended',
      unit: 'opm',
      width: 12,
      bars: true,
      queries: [{ expression: `${endedPerMinute('action')} > 0`, legend: ['action'] }],
    }),
    timeseries({
      title: 'Operations by end',
      description: 'Operations a minute that reached an end, by how they ended.',
      filledBy: 'operation ended',
      unit: 'opm',
      width: 12,
      bars: true,
      colours: { finished: 'green', skipped: 'blue', failed: 'red', error: 'dark-red', cancelled: 'orange' },
      queries: [{ expression: `${endedPerMinute('status')} > 0`, legend: ['status'] }],
    }),
    timeseries({
      title: 'In progress by action',
      description: 'Operations that have not reached an end, by action and status.',
      unit: 'none',
      width: 12,
      filledBy: 'operation stuck',
      queries: [
        {
          expression: `sum ${labelList('by', operationFamilies.inProgress, 'action', 'status')} (${scoped(operationFamilies.inProgress)})`,
          legend: ['action', 'status'],
        },
      ],
    }),
    timeseries({
      title: 'Duration by action',
      description: '95th percentile of the time from creation to end, of the operations that ended lately.',
      filledBy: 'operation ended',
      unit: 's',
      width: 12,
      queries: [{ expression: durationQuantile(0.95, 'now'), legend: ['action'] }],
    }),
    table({
      title: 'Durations within the time range',
      description: 'How long half, most and nearly all operations of each action took.',
      filledBy: 'operation ended',
      width: 24,
      height: 8,
      labels: [{ label: 'action', title: 'Action' }],
      values: [
        { title: 'Median', expression: durationQuantile(0.5, 'range'), unit: 's' },
        { title: '95th percentile', expression: durationQuantile(0.95, 'range'), unit: 's' },
        { title: '99th percentile', expression: durationQuantile(0.99, 'range'), unit: 's' },
      ],
      sortBy: '95th percentile',
    }),
  ],
};
