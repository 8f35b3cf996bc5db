import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { seriesToProject } from './link.ts';
import { perEndpoint } from './name.ts';
import { type BoardPanel, timeseries } from './panel.ts';
import { growthIn, increaseInRange, mostInRange } from './scope.ts';
import { activeShare } from './state.ts';
import { endpointColumns, table } from './table.ts';

/** Endpoints that never sleep, or never for long. */
export const endpointSleepSection: Section = {
  title: 'Sleeping and waking',
  panels: [
    table({
      title: 'Endpoints that never suspend',
      description:
        'Active for at least 99% of the time range: is that wanted, or does a client keep them awake?',
      filledBy: 'endpoint never suspends',
      labels: endpointColumns,
      values: [{ title: 'Active', expression: `${perEndpoint(activeShare())} >= 0.99`, unit: 'percentunit' }],
      sortBy: 'Active',
    }),
    table({
      title: 'Endpoints that wake most often',
      description:
        'Starts within the time range, the first twenty: a flapping endpoint pays for every start and makes clients wait.',
      filledBy: 'endpoint woken',
      labels: endpointColumns,
      values: [
        {
          title: 'Starts',
          expression: `topk(20, round(${perEndpoint(increaseInRange(endpointFamilies.starts))}) > 0)`,
        },
      ],
      sortBy: 'Starts',
    }),
    startPanel('all endpoints'),
    timeseries({
      title: 'Ten endpoints that wake most often',
      description:
        'Starts in the hour before each moment of the ten endpoints that were started most within the time range.',
      filledBy: 'endpoint woken',
      decimals: 1,
      links: [seriesToProject],
      queries: [
        {
          expression: startsOfBusiest(),
          legend: ['project_name', 'endpoint_id'],
        },
      ],
    }),
  ],
};

function startsOfBusiest(): string {
  const { starts } = endpointFamilies;
  const same = ['account', 'project_id', 'endpoint_id'] as const;
  const series = perEndpoint(growthIn('1h', starts));
  return `${series} and ${labelList('on', starts, ...same)} ${mostInRange(10, starts, ...same)}`;
}

/** How often endpoints start and suspend. @param what such as `all endpoints`. */
export function startPanel(what: string): BoardPanel {
  return timeseries({
    title: 'Starts and suspends',
    description: `Finished starts and suspends in the hour before each moment, over ${what}.`,
    decimals: 1,
    queries: [
      { expression: `sum(${growthIn('1h', endpointFamilies.starts)})`, legend: 'starts an hour' },
      { expression: `sum(${growthIn('1h', endpointFamilies.suspends)})`, legend: 'suspends an hour' },
    ],
  });
}
