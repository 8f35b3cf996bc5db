import { processFamilies } from '../../src/metrics/self/process-family.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { accountFamilies } from '../../src/resources/account.ts';
import { labelList } from '../promql.ts';
import type { Board, Section } from './board.ts';
import { exporterPressureSection } from './exporter-pressure-section.ts';
import { exporterProcessSection } from './exporter-process-section.ts';
import { exporterRequestSection } from './exporter-request-section.ts';
import { oneIsGood, projectAgeBands, yesOrNo, zeroIsGood } from './look.ts';
import { stat, timeline, timeseries } from './panel.ts';
import { age, increaseInRange, rate, scoped } from './scope.ts';
import { table } from './table.ts';

const {
  collectorSuccess,
  collectorErrors,
  collectorLastDuration,
  collectorLastSuccessTimestamp,
  implausibleValues,
  lostFields,
  projectsUnavailable,
} = accountFamilies;
const byCollector = labelList('by', collectorSuccess, 'account', 'collector');

const nowPanels = [
  stat({
    title: 'Age of the data',
    description: 'How long ago the collector that is furthest behind last succeeded.',
    unit: 's',
    width: 4,
    expression: `max(${age(collectorLastSuccessTimestamp)})`,
    bands: projectAgeBands,
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
      { label: 'job', title: 'Job', width: 140 },
      { label: 'version', title: 'Version', width: 120 },
      { label: 'revision', title: 'Revision', width: 320 },
      { label: 'node_version', title: 'Node', width: 120 },
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
    width: 8,
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
    width: 8,
    bars: true,
    filledBy: 'account unreachable',
    queries: [
      {
        expression: `60 * sum ${labelList('by', collectorErrors, 'collector', 'reason')} (${rate(collectorErrors)}) > 0`,
        legend: ['collector', 'reason'],
      },
    ],
  }),
  timeseries({
    title: 'Values that cannot be true',
    description:
      'Values of the service that count for nothing, a minute, by field. Empty lines are left out.',
    unit: 'cpm',
    width: 8,
    bars: true,
    filledBy: 'value implausible',
    queries: [
      {
        expression: `60 * sum ${labelList('by', implausibleValues, 'field')} (${rate(implausibleValues)}) > 0`,
        legend: ['field'],
      },
    ],
  }),
  timeseries({
    title: 'Fields that were lost',
    description:
      'Fields of what the service sends that could not be used, a minute, by name; the rest of the object counts.',
    unit: 'cpm',
    width: 12,
    bars: true,
    filledBy: 'later service',
    queries: [
      {
        expression: `60 * sum ${labelList('by', lostFields, 'field')} (${rate(lostFields)}) > 0`,
        legend: ['field'],
      },
    ],
  }),
  timeseries({
    title: 'Projects that cannot be listed',
    description:
      'Projects that the service names as unavailable instead of listing them: what the list says of them is old, and vanishes after collect.drop_after.',
    unit: 'none',
    width: 12,
    noValue: 'none was ever named',
    filledBy: 'project unavailable',
    queries: [
      {
        expression: `max ${labelList('by', projectsUnavailable, 'account')} (${scoped(projectsUnavailable)})`,
        legend: ['account'],
      },
    ],
  }),
];

/** A value of the process, with what runs in it. */
function onBuild(expression: string): string {
  const { buildInfo } = selfFamilies;
  const on = labelList('on', buildInfo, 'job', 'instance');
  const build = labelList('group_left', buildInfo, 'version', 'revision', 'node_version');
  const by = labelList('by', buildInfo, 'job', 'instance', 'version', 'revision', 'node_version');
  return `max ${by} ((${expression}) * ${on} ${build} ${scoped(buildInfo)})`;
}

/** Panels that nobody needs while the first lines are green. */
function fold(section: Section): Section {
  return { ...section, isFolded: true };
}

export const exporterBoard: Board = {
  uid: 'dbpm-exporter',
  title: 'DBPM / Exporter health',
  question: [
    '**Is the exporter itself well, and how fresh is what the other boards show?** Everything on the first line is green when it is; the closed rows at the bottom say why where it is not.',
    '',
    'Old data with many failed requests points to the service or the key; old data with a used-up budget to too small a `requests_per_minute`; a slow event loop to this machine.',
  ].join('\n'),
  since: '6h',
  projects: 'none',
  sections: [
    { title: 'Is it well?', panels: nowPanels },
    { title: 'Freshness', panels: freshnessPanels },
    ...[exporterRequestSection, exporterPressureSection, exporterProcessSection].map(fold),
  ],
};
