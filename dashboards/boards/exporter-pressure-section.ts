import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { labelList, type Metric } from '../promql.ts';
import type { Section } from './board.ts';
import { yesOrNo } from './look.ts';
import { timeline, timeseries } from './panel.ts';
import { age, rate, scoped } from './scope.ts';
import { sumOverShards } from './shard-sum.ts';

const { requestDemand, oldestDueTimestamp, workSkipped, listPollInterval, listLag } = selfFamilies;
const { partialPolls, pollingStalled } = selfFamilies;

/** Panels on the request budget, and on the polls that wait where it is not enough. */
export const exporterPressureSection: Section = {
  title: 'Pressure on the request budget',
  panels: [
    timeseries({
      title: 'Request demand a minute',
      description:
        'Requests a minute that it would take to read everything as soon as it is due. Above the budget, data gets older: busy projects first.',
      unit: 'none',
      width: 12,
      queries: [
        { expression: sumOverShards(scoped(requestDemand), requestDemand, 'account'), legend: ['account'] },
      ],
    }),
    timeseries({
      title: 'Longest overdue',
      description:
        'How long the reading that has waited longest for its turn has been due. Seconds are healthy.',
      unit: 's',
      width: 12,
      queries: [{ expression: longestOverdue(), legend: ['account'] }],
    }),
    timeseries({
      title: 'Work skipped',
      description:
        'Readings of the list of projects left out, and idle projects read later than collect.idle_refresh, a minute.',
      unit: 'cpm',
      width: 12,
      queries: [
        {
          expression: `60 * sum ${labelList('by', workSkipped, 'account', 'work')} (${rate(workSkipped)})`,
          legend: ['account', 'work'],
        },
      ],
    }),
    timeseries({
      title: 'Time between lists',
      description:
        'Time from one reading of the list of projects to the next: starts are noticed in half of it.',
      unit: 's',
      width: 12,
      queries: [{ expression: perAccount(listPollInterval, scoped(listPollInterval)), legend: ['account'] }],
    }),
    timeseries({
      title: 'Lag of the list',
      description:
        'How far the list of projects lags behind what happens, as learned from starts whose time is known.',
      unit: 's',
      width: 12,
      queries: [{ expression: perAccount(listLag, scoped(listLag)), legend: ['account'] }],
    }),
    timeline({
      title: 'Idle projects read in part',
      description:
        'Whether idle projects are read by their operations alone three times in four, to save requests.',
      unit: 'none',
      width: 12,
      height: 9,
      mappings: yesOrNo('orange', 'green'),
      queries: [{ expression: perAccount(partialPolls, scoped(partialPolls)), legend: ['account'] }],
    }),
    timeline({
      title: 'Polling stalled',
      description:
        'Whether polling gave no sign of life for minutes, whatever the service does: start the exporter anew.',
      unit: 'none',
      width: 12,
      height: 9,
      mappings: yesOrNo('red', 'green'),
      queries: [{ expression: perAccount(pollingStalled, scoped(pollingStalled)), legend: ['account'] }],
    }),
  ],
};

function perAccount(metric: Metric<'account'>, expression: string): string {
  return `max ${labelList('by', metric, 'account')} (${expression})`;
}

/** 0 where nothing is overdue and the timestamp is absent. */
function longestOverdue(): string {
  const overdue = perAccount(oldestDueTimestamp, age(oldestDueTimestamp));
  return `${overdue} or 0 * ${sumOverShards(scoped(requestDemand), requestDemand, 'account')}`;
}
