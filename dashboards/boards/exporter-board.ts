import { processFamilies } from '../../src/metrics/process-family.ts';
import { selfFamilies } from '../../src/metrics/self-family.ts';
import { accountFamilies } from '../../src/resources/account.ts';
import { labelList, type Metric } from '../promql.ts';
import type { Board } from './board.ts';
import { oneIsGood, risingBands, yesOrNo, zeroIsGood } from './look.ts';
import { stat, timeline, timeseries } from './panel.ts';
import { age, increaseInRange, rate, scoped, scopedPart } from './scope.ts';
import { table } from './table.ts';

const { collectorSuccess, collectorErrors, collectorLastDuration, collectorLastSuccessTimestamp } =
  accountFamilies;
const byCollector = labelList('by', collectorSuccess, 'account', 'collector');

const nowPanels = [
  stat({
    title: 'Age of the data',
    description: 'How long ago the collector that is furthest behind last succeeded.',
    unit: 's',
    width: 4,
    expression: `max(${age(collectorLastSuccessTimestamp)})`,
    bands: risingBands(300, 900),
  }),
  stat({
    title: 'Accounts readable',
    description: 'Whether the last reading of the lists of every account succeeded.',
    unit: 'none',
    width: 4,
    expression: `min(${scoped(accountFamilies.up)})`,
    mappings: yesOrNo('green', 'red'),
    bands: oneIsGood,
  }),
  stat({
    title: 'API keys accepted',
    description: 'Whether the service accepts the API key of every account; no once it answers 401.',
    unit: 'none',
    width: 4,
    expression: `min(${scoped(accountFamilies.authOk)})`,
    mappings: yesOrNo('green', 'red'),
    bands: oneIsGood,
  }),
  stat({
    title: 'Readings not written',
    description: 'Readings within the time range that could not be written to the history.',
    unit: 'none',
    decimals: 0,
    width: 4,
    expression: `round(sum(${increaseInRange(selfFamilies.historyWriteFailures)}))`,
    bands: zeroIsGood,
  }),
  stat({
    title: 'Configuration in force',
    description:
      'Whether the configuration was last loaded without a problem; if not, the one before is in force.',
    unit: 'none',
    width: 4,
    expression: `min(${scoped(selfFamilies.lastReloadSuccessful)})`,
    mappings: yesOrNo('green', 'red'),
    bands: oneIsGood,
  }),
  stat({
    title: 'History on disk',
    description: 'Size of the history file, its write-ahead log included.',
    unit: 'bytes',
    width: 4,
    expression: `sum(${scoped(selfFamilies.historySize)})`,
  }),
  table({
    title: 'Exporters',
    description: 'What runs, for how long, and since when with its configuration.',
    width: 24,
    height: 5,
    labels: [
      { label: 'instance', title: 'Instance' },
      { label: 'job', title: 'Job' },
      { label: 'version', title: 'Version' },
      { label: 'revision', title: 'Revision' },
      { label: 'node_version', title: 'Node' },
    ],
    values: [
      { title: 'Running for', expression: onBuild(age(processFamilies.startTime)), unit: 's' },
      {
        title: 'Since configuration',
        expression: onBuild(age(selfFamilies.lastReloadSuccessTimestamp)),
        unit: 's',
      },
    ],
    sortBy: 'Instance',
    ascending: true,
  }),
];

const freshnessPanels = [
  timeseries({
    title: 'Age of the data, by collector',
    description: 'Seconds since each collector last succeeded. A saw-tooth is healthy, a slope is not.',
    unit: 's',
    width: 12,
    queries: [
      {
        expression: `max ${byCollector} (${age(collectorLastSuccessTimestamp)})`,
        legend: ['account', 'collector'],
      },
    ],
  }),
  timeline({
    title: 'Collectors',
    description: 'Whether the last attempt of each collector succeeded.',
    unit: 'none',
    width: 12,
    height: 9,
    mappings: yesOrNo('green', 'red'),
    queries: [
      { expression: `min ${byCollector} (${scoped(collectorSuccess)})`, legend: ['account', 'collector'] },
    ],
  }),
  timeseries({
    title: 'Duration of readings',
    description: 'How long the last attempt of each collector took.',
    unit: 's',
    width: 12,
    queries: [
      {
        expression: `max ${byCollector} (${scoped(collectorLastDuration)})`,
        legend: ['account', 'collector'],
      },
    ],
  }),
  timeseries({
    title: 'Errors by reason',
    description:
      'Failed readings and unusable items a minute, by collector and reason. Empty lines are left out.',
    unit: 'cpm',
    width: 12,
    bars: true,
    filledBy: 'account unreachable',
    queries: [
      {
        expression: `60 * sum ${labelList('by', collectorErrors, 'collector', 'reason')} (${rate(collectorErrors)}) > 0`,
        legend: ['collector', 'reason'],
      },
    ],
  }),
];

const requestPanels = [
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
        expression: `max ${labelList('by', selfFamilies.requestBudget, 'account')} (${scoped(selfFamilies.requestBudget)})`,
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
];

const processPanels = [
  processSeries({
    title: 'History on disk',
    description: 'Size of the history file, its write-ahead log included.',
    unit: 'bytes',
    queries: [{ expression: scoped(selfFamilies.historySize), legend: ['instance'] }],
  }),
  processSeries({
    title: 'CPU of the exporter',
    description: 'CPU seconds the exporter itself used a second.',
    unit: 'percentunit',
    queries: [{ expression: rate(processFamilies.cpuSeconds), legend: ['instance'] }],
  }),
  processSeries({
    title: 'Memory of the exporter',
    description: 'Memory in RAM, and the part that JavaScript objects use.',
    unit: 'bytes',
    queries: [
      { expression: `sum(${scoped(processFamilies.residentMemory)})`, legend: 'in RAM' },
      { expression: `sum(${scoped(processFamilies.heapUsed)})`, legend: 'JavaScript objects' },
    ],
  }),
  processSeries({
    title: 'Delay of the event loop',
    description: '99th percentile of how late timers fire: while it is high, scrapes wait.',
    unit: 's',
    queries: [{ expression: scoped(processFamilies.eventLoopLagP99), legend: ['instance'] }],
  }),
  processSeries({
    title: 'Open files and sockets',
    description: 'File descriptors in use; a steady rise is a leak.',
    unit: 'none',
    queries: [{ expression: scoped(processFamilies.openFileDescriptors), legend: ['instance'] }],
  }),
];

function processSeries(panel: Omit<Parameters<typeof timeseries>[0], 'width'>) {
  return timeseries({ ...panel, width: 8, height: 7 });
}

/** A value of the process, with what runs in it. */
function onBuild(expression: string): string {
  const { buildInfo } = selfFamilies;
  const on = labelList('on', buildInfo, 'job', 'instance');
  const build = labelList('group_left', buildInfo, 'version', 'revision', 'node_version');
  const by = labelList('by', buildInfo, 'job', 'instance', 'version', 'revision', 'node_version');
  return `max ${by} ((${expression}) * ${on} ${build} ${scoped(buildInfo)})`;
}

function budgetUse(): string {
  const perAccount = <Label extends string>(metric: Metric<Label | 'account'>, expression: string) =>
    `sum ${labelList('by', metric, 'account')} (${expression})`;
  const used = perAccount(selfFamilies.apiRequests, rate(selfFamilies.apiRequests));
  const allowed = perAccount(selfFamilies.requestBudget, scoped(selfFamilies.requestBudget));
  return `60 * ${used} / ${allowed}`;
}

export const exporterBoard: Board = {
  uid: 'dbpm-exporter',
  title: 'DBPM / Exporter health',
  question: [
    '**Is the exporter itself well, and how fresh is what the other boards show?** Everything on the first line is green when it is.',
    '',
    'Old data with many failed requests points to the service or the key; old data with a used-up budget to too small a `requests_per_minute`; a slow event loop to this machine.',
  ].join('\n'),
  since: '6h',
  projects: 'none',
  sections: [
    { title: 'Is it well?', panels: nowPanels },
    { title: 'Freshness', panels: freshnessPanels },
    { title: 'Requests to the service', panels: requestPanels },
    { title: 'History and process', panels: processPanels },
  ],
};
