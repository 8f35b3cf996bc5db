import { processFamilies } from '../../src/metrics/self/process-family.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { accountFamilies } from '../../src/resources/account.ts';
import { bucketsOf, labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { perMinute, toMappings } from './look.ts';
import { timeline, timeseries } from './panel.ts';
import { age, rate, scoped } from './scope.ts';
import { labelValue, type Stroke, seriesBy } from './series.ts';
import { sumOverShards } from './shard-sum.ts';

const { collectorSuccess, collectorLastSuccessTimestamp } = accountFamilies;
const { apiRequests, apiRequestDuration, requestBudget, requestDemand, oldestDueTimestamp } = selfFamilies;

/** The one collector of two words, beside the name of an account. */
const strokes: Readonly<Record<string, Stroke>> = {
  ' api_keys$': { name: `${labelValue('account')} · API keys` },
};

/** Panels on how fresh what each collector reads is. */
export const exporterFreshnessSection: Section = {
  title: 'How fresh is it?',
  panels: [
    timeseries({
      title: 'Age of the data, by collector',
      description: 'Seconds since each collector last succeeded. A saw-tooth is healthy, a slope is not.',
      unit: 's',
      strokes,
      queries: [
        seriesBy(
          'max',
          collectorLastSuccessTimestamp,
          ['account', 'collector'],
          age(collectorLastSuccessTimestamp),
        ),
      ],
    }),
    timeline({
      title: 'Collectors',
      description: 'Whether the last attempt of each collector succeeded.',
      mappings: toMappings([
        [1, 'succeeded', 'green'],
        [0, 'failed', 'red'],
      ]),
      strokes,
      queries: [seriesBy('min', collectorSuccess, ['account', 'collector'])],
    }),
  ],
};

/** Panels on the exporter's requests to the service. */
export const exporterRequestSection: Section = {
  title: 'Requests to the service',
  panels: [
    timeseries({
      title: 'Requests a minute, by outcome',
      description: 'Requests a minute to the service, every attempt, by how they ended.',
      unit: perMinute,
      decimals: 1,
      stack: true,
      colours: { ok: 'green' },
      queries: [
        {
          expression: `60 * sum ${labelList('by', apiRequests, 'outcome')} (${rate(apiRequests)})`,
          legend: ['outcome'],
        },
      ],
    }),
    timeseries({
      title: 'Requests a minute: needed, allowed, made',
      description:
        'What it would take to read everything as soon as it is due, what the exporter allows itself, and what it made. Where more is needed than allowed, data gets older: busy projects are read first.',
      unit: perMinute,
      decimals: 0,
      queries: [
        {
          expression: sumOverShards(scoped(requestDemand), requestDemand, 'account'),
          legend: '{{account}}: needed',
        },
        {
          expression: sumOverShards(scoped(requestBudget), requestBudget, 'account'),
          legend: '{{account}}: allowed',
        },
        {
          expression: `60 * sum ${labelList('by', apiRequests, 'account')} (${rate(apiRequests)})`,
          legend: '{{account}}: made',
        },
      ],
    }),
    timeseries({
      title: 'Longest overdue',
      description:
        'How long the reading that has waited longest for its turn has been due. Seconds are healthy.',
      unit: 's',
      queries: [{ expression: longestOverdue(), legend: ['account'] }],
    }),
    timeseries({
      title: 'Latency of the service',
      description: '95th percentile of the time a request took, by route.',
      unit: 's',
      queries: [
        {
          expression: `histogram_quantile(0.95, sum ${labelList('without', apiRequestDuration, 'job', 'instance')} (rate(${scoped(bucketsOf(apiRequestDuration))}[$__rate_interval])))`,
          legend: ['route'],
        },
      ],
    }),
  ],
};

/** Panels on the exporter's use of its machine. */
export const exporterMachineSection: Section = {
  title: 'This machine',
  panels: [
    timeseries({
      title: 'Memory of the exporter',
      description: 'Memory in RAM, and the part that JavaScript objects use.',
      unit: 'bytes',
      queries: [
        { expression: `sum(${scoped(processFamilies.residentMemory)})`, legend: 'in RAM' },
        { expression: `sum(${scoped(processFamilies.heapUsed)})`, legend: 'JavaScript objects' },
      ],
    }),
    timeseries({
      title: 'Delay of the event loop',
      description:
        'How late timers fire. While it is high, scrapes wait: the exporter needs more processor time.',
      unit: 's',
      queries: [
        { expression: `max(${scoped(selfFamilies.eventLoopDelayP99)})`, legend: '99th percentile' },
        { expression: `max(${scoped(selfFamilies.eventLoopDelayMax)})`, legend: 'longest' },
      ],
    }),
  ],
};

/** 0 where nothing is overdue and the timestamp is absent. */
function longestOverdue(): string {
  const overdue = `max ${labelList('by', oldestDueTimestamp, 'account')} (${age(oldestDueTimestamp)})`;
  return `${overdue} or 0 * ${sumOverShards(scoped(requestDemand), requestDemand, 'account')}`;
}
