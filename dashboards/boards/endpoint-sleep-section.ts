import { endpointFamilies } from '../../src/resources/endpoint.ts';
import type { Section } from './board.ts';
import { endpointColumns } from './column.ts';
import { seriesToProject } from './link.ts';
import { perEndpoint } from './name.ts';
import { timeseries } from './panel.ts';
import { increaseInRange, rate } from './scope.ts';
import { activeShare } from './state.ts';
import { table } from './table.ts';

/** Endpoints that never sleep, and those that never sleep for long. */
export const endpointSleepSection: Section = {
  title: 'Sleeping and waking',
  panels: [
    table({
      title: 'Endpoints that never suspend',
      description:
        'Active for at least 99 % of the time range: is that wanted, or does a client keep them awake?',
      width: 12,
      filledBy: 'endpoint never suspends',
      labels: endpointColumns,
      values: [{ title: 'Active', expression: `${perEndpoint(activeShare())} >= 0.99`, unit: 'percentunit' }],
      sortBy: 'Active',
    }),
    table({
      title: 'Endpoints that wake most often',
      description:
        'Starts within the time range, the first twenty: a flapping endpoint pays for every start and makes clients wait.',
      width: 12,
      filledBy: 'endpoint woken',
      labels: endpointColumns,
      values: [
        {
          title: 'Starts',
          expression: `topk(20, round(${perEndpoint(increaseInRange(endpointFamilies.starts))}) > 0)`,
          unit: 'none',
        },
      ],
      sortBy: 'Starts',
    }),
    timeseries({
      title: 'Starts and suspends',
      description: 'Finished starts and suspends an hour, over all endpoints.',
      unit: 'none',
      decimals: 1,
      width: 12,
      queries: [
        { expression: `3600 * sum(${rate(endpointFamilies.starts)})`, legend: 'starts an hour' },
        { expression: `3600 * sum(${rate(endpointFamilies.suspends)})`, legend: 'suspends an hour' },
      ],
    }),
    timeseries({
      title: 'Ten endpoints that wake most often',
      description: 'Starts an hour of the ten endpoints that were started most at each moment.',
      filledBy: 'endpoint woken',
      unit: 'none',
      decimals: 1,
      width: 12,
      links: [seriesToProject],
      queries: [
        {
          expression: `topk(10, 3600 * ${perEndpoint(rate(endpointFamilies.starts))} > 0)`,
          legend: ['project_name', 'endpoint_id'],
        },
      ],
    }),
  ],
};
