import { processFamilies } from '../../src/metrics/self/process-family.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { accountFamilies } from '../../src/resources/account.ts';
import { labelList } from '../promql.ts';
import type { Board, Section } from './board.ts';
import { exporterFreshnessSection } from './exporter-freshness-section.ts';
import { exporterPressureSection } from './exporter-pressure-section.ts';
import { exporterProcessSection } from './exporter-process-section.ts';
import { exporterRequestSection } from './exporter-request-section.ts';
import { oneIsGood, projectAgeBands, yesOrNo, zeroIsGood } from './look.ts';
import { stat } from './panel.ts';
import { age, increaseInRange, scoped } from './scope.ts';
import { table } from './table.ts';

const { collectorLastSuccessTimestamp } = accountFamilies;

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
    exporterFreshnessSection,
    ...[exporterRequestSection, exporterPressureSection, exporterProcessSection].map(fold),
  ],
};
