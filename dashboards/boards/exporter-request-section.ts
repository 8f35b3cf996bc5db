import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { labelList, type Metric } from '../promql.ts';
import type { Section } from './board.ts';
import { timeseries } from './panel.ts';
import { rate, scoped, scopedPart } from './scope.ts';
import { sumOverShards } from './shard-sum.ts';

/** Panels on the exporter's requests to the service. */
export const exporterRequestSection: Section = {
  title: 'Requests to the service',
  panels: [
    timeseries({
      title: 'API requests a minute, by outcome',
      description: 'Requests a minute to the service, every attempt, by how they ended.',
      unit: 'none',
      width: 12,
      stack: true,
      colours: { ok: 'green' },
      queries: [
        {
          expression: `60 * sum ${labelList('by', selfFamilies.apiRequests, 'outcome')} (${rate(selfFamilies.apiRequests)})`,
          legend: ['outcome'],
        },
      ],
    }),
    timeseries({
      title: 'Use of the request budget',
      description: 'Requests as a share of what the exporter allows itself; at 100 % the data gets older.',
      unit: 'percentunit',
      width: 12,
      queries: [{ expression: budgetUse(), legend: ['account'] }],
    }),
    timeseries({
      title: 'Request budget a minute',
      description:
        'Requests a minute the exporter allows itself; it backs off when the service says it is too many.',
      unit: 'none',
      width: 12,
      queries: [
        {
          expression: sumOverShards(
            scoped(selfFamilies.requestBudget),
            selfFamilies.requestBudget,
            'account',
          ),
          legend: ['account'],
        },
      ],
    }),
    timeseries({
      title: 'Left alone for',
      description:
        'How long the service still wants an account, or its list of projects, to be left alone (Retry-After). Nothing is read meanwhile.',
      unit: 's',
      filledBy: 'list paused',
      width: 12,
      queries: [
        {
          expression: `max ${labelList('by', selfFamilies.pausedUntilTimestamp, 'account')} (${scoped(selfFamilies.pausedUntilTimestamp)}) - time()`,
          legend: ['account'],
        },
      ],
    }),
    timeseries({
      title: 'Dates that are not believed',
      description:
        'How far the Date of answers is from the instant they are taken for, where nothing speaks for it: above 0 it is ahead. Nothing is as it should be.',
      unit: 's',
      filledBy: 'date unbelieved',
      width: 12,
      queries: [
        {
          expression: `max ${labelList('by', selfFamilies.dateOffset, 'account')} (${scoped(selfFamilies.dateOffset)})`,
          legend: ['account'],
        },
      ],
    }),
    timeseries({
      title: 'Latency of the service',
      description: '95th percentile of the time a request took, by route.',
      unit: 's',
      width: 12,
      queries: [
        {
          expression: `histogram_quantile(0.95, sum ${labelList('without', selfFamilies.apiRequestDuration, 'job', 'instance')} (rate(${scopedPart(selfFamilies.apiRequestDuration, 'bucket')}[$__rate_interval])))`,
          legend: ['route'],
        },
      ],
    }),
  ],
};

function budgetUse(): string {
  const perAccount = <Label extends string>(metric: Metric<Label | 'account'>, expression: string) =>
    `sum ${labelList('by', metric, 'account')} (${expression})`;
  const used = perAccount(selfFamilies.apiRequests, rate(selfFamilies.apiRequests));
  const allowed = perAccount(selfFamilies.requestBudget, scoped(selfFamilies.requestBudget));
  return `60 * ${used} / ${allowed}`;
}
