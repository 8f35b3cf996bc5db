import { operationFamilies } from '../../src/resources/operation.ts';
import type { Section } from './board.ts';
import { durationQuantile, hourlyGrowth } from './operation-query.ts';
import { type BoardPanel, timeseries } from './panel.ts';
import { table } from './table.ts';

/** Operations over time, on the board of all projects and on that of each. */
export function operationPanel(width: number): BoardPanel {
  return timeseries({
    title: 'Operations by action',
    description: 'Operations that reached an end in the hour before each moment.',
    filledBy: 'operation ended',
    decimals: 1,
    width,
    queries: [hourlyGrowth(operationFamilies.ended, 'action')],
  });
}

/** Panels on the number of operations and their durations. */
export const operationFlowSection: Section = {
  title: 'Flow',
  panels: [
    operationPanel(12),
    timeseries({
      title: 'Operations by end',
      description: 'Operations that reached an end in the hour before each moment, by how they ended.',
      filledBy: 'operation ended',
      decimals: 1,
      colours: { finished: 'green', skipped: 'blue', failed: 'red', error: 'dark-red', cancelled: 'orange' },
      queries: [hourlyGrowth(operationFamilies.ended, 'status')],
    }),
    timeseries({
      title: 'Duration by action',
      description:
        '95th percentile of the time from creation to end, of the operations that ended in the hour before each moment.',
      filledBy: 'operation ended',
      unit: 's',
      width: 24,
      queries: [{ expression: durationQuantile(0.95, '1h'), legend: ['action'] }],
    }),
    table({
      title: 'Durations within the time range',
      description: 'How long half, most and nearly all operations of each action took.',
      filledBy: 'operation ended',
      width: 24,
      height: 8,
      labels: [{ label: 'action', title: 'Action', words: 'own' }],
      values: [
        { title: 'Median', expression: durationQuantile(0.5, '$__range'), unit: 's' },
        { title: '95th percentile', expression: durationQuantile(0.95, '$__range'), unit: 's' },
        { title: '99th percentile', expression: durationQuantile(0.99, '$__range'), unit: 's' },
      ],
      sortBy: '95th percentile',
    }),
  ],
};
