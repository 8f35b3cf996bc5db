import { processFamilies } from '../../src/metrics/self/process-family.ts';
import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { accountFamilies } from '../../src/resources/account.ts';
import { labelList } from '../promql.ts';
import type { Board } from './board.ts';
import { exporterFaultSection } from './exporter-fault-section.ts';
import {
  exporterFreshnessSection,
  exporterMachineSection,
  exporterRequestSection,
} from './exporter-work-section.ts';
import { toMappings, yesIsGood, zeroIsGood } from './look.ts';
import { agePanel, stat } from './panel.ts';
import { age, increaseInRange, scoped } from './scope.ts';
import { table, type ValueColumn } from './table.ts';

const { collectorLastSuccessTimestamp } = accountFamilies;

const nowPanels = [
  agePanel({
    description: 'How long ago the collector that is furthest behind last succeeded.',
    expression: `max(${age(collectorLastSuccessTimestamp)})`,
  }),
  stat({
    title: 'Accounts readable',
    description: 'Whether the last reading of the lists of every account succeeded.',
    expression: `min(${scoped(accountFamilies.up)})`,
    ...yesIsGood,
  }),
  stat({
    title: 'API keys accepted',
    description: 'Whether the service accepts the API key of every account; no once it answers 401.',
    expression: `min(${scoped(accountFamilies.authOk)})`,
    ...yesIsGood,
  }),
  stat({
    title: 'Readings not written',
    description: 'Readings within the time range that could not be written to the history.',
    decimals: 0,
    expression: `round(sum(${increaseInRange(selfFamilies.historyWriteFailures)}))`,
    bands: zeroIsGood,
  }),
  stat({
    title: 'Configuration in force',
    description:
      'Whether the configuration was last loaded without a problem; if not, the one before is in force.',
    expression: `min(${scoped(selfFamilies.lastReloadSuccessful)})`,
    ...yesIsGood,
  }),
  stat({
    title: 'History on disk',
    description: 'Size of the history file, its write-ahead log included.',
    unit: 'bytes',
    expression: `sum(${scoped(selfFamilies.historySize)})`,
  }),
  table({
    title: 'Exporters',
    description:
      'What runs, for how long, and since when with its configuration; whether it polls (restart it where that has stalled), or waits for another one; whether its history is sound, and how long ago a damaged one was set aside; how many series a limit keeps off its page.',
    width: 24,
    height: 5,
    labels: [
      { label: 'instance', title: 'Instance' },
      { label: 'job', title: 'Job', width: 120 },
      { label: 'version', title: 'Version', width: 100 },
    ],
    values: [
      { title: 'Running for', expression: onBuild(age(processFamilies.startTime)), unit: 's' },
      {
        title: 'Since configuration',
        expression: onBuild(age(selfFamilies.lastReloadSuccessTimestamp)),
        unit: 's',
      },
      {
        ...wordColumn('Role', scoped(selfFamilies.standby), [0, 'active', 'green'], [1, 'standby', 'blue']),
        noValue: 'alone',
      },
      wordColumn('Polling', stalled(), [0, 'goes on', 'green'], [1, 'stalled', 'red']),
      wordColumn(
        'History',
        scoped(selfFamilies.historyDamaged),
        [0, 'sound', 'green'],
        [1, 'damaged', 'red'],
      ),
      {
        title: 'Set aside',
        expression: onBuild(age(selfFamilies.historySetAsideTimestamp)),
        unit: 's',
        noValue: 'never',
      },
      {
        title: 'Backup',
        expression: onBuild(age(selfFamilies.historyBackupTimestamp)),
        unit: 's',
        noValue: 'none',
      },
      wordColumn(
        'Backups',
        scoped(selfFamilies.historyBackupSuccess),
        [1, 'succeed', 'green'],
        [0, 'fail', 'red'],
      ),
      { title: 'Series left out', expression: onBuild(droppedSeries()), bands: zeroIsGood },
    ],
    sortBy: 'Instance',
    ascending: true,
  }),
];

/** A value of the process as a word. */
function wordColumn(
  title: string,
  expression: string,
  ...words: readonly Parameters<typeof toMappings>[0][number][]
): ValueColumn {
  return { title, expression: onBuild(expression), mappings: toMappings(words) };
}

/** A value of the process, with what runs in it. */
function onBuild(expression: string): string {
  const { buildInfo } = selfFamilies;
  const on = labelList('on', buildInfo, 'job', 'instance');
  const build = labelList('group_left', buildInfo, 'version');
  const by = labelList('by', buildInfo, 'job', 'instance', 'version');
  return `max ${by} ((${expression}) * ${on} ${build} ${scoped(buildInfo)})`;
}

/** Whether the polling of any account has stalled. */
function stalled(): string {
  const { pollingStalled } = selfFamilies;
  return `max ${labelList('by', pollingStalled, 'job', 'instance')} (${scoped(pollingStalled)})`;
}

/** All of a page together; 0 without a limit. */
function droppedSeries(): string {
  const { seriesDropped, publishedSeries } = selfFamilies;
  const by = labelList('by', seriesDropped, 'job', 'instance');
  return `sum ${by} (${scoped(seriesDropped)}) or 0 * sum ${by} (${scoped(publishedSeries)})`;
}

export const exporterBoard: Board = {
  uid: 'dbpm-exporter',
  title: 'DBPM / Exporter health',
  question: [
    '**Is the exporter itself well, and how fresh is what the other boards show?** Everything on the first line is green when it is; where it is not, open the row *What fails* at the bottom.',
    '',
    'Old data with many failed requests points to the service or the key; old data with more requests needed than allowed to too small a `requests_per_minute`; a slow event loop to this machine.',
  ].join('\n'),
  since: '6h',
  projects: 'none',
  sections: [
    { title: 'Is it well?', panels: nowPanels },
    exporterFreshnessSection,
    exporterRequestSection,
    exporterMachineSection,
    exporterFaultSection,
  ],
};
