import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert, target } from './alert.ts';
import { renderDuration } from './rule-scope.ts';

/** Whether what was read is kept, and shown. */
export const historyAlerts = [
  defineAlert({
    name: 'DbpmHistoryWriteFailed',
    severity: 'critical',
    for: '1m',
    keepFiringFor: '10m',
    thresholds: {
      window: { kind: 'duration', default: '10m', help: 'how far back failed writes are counted' },
    },
    board: 'dbpm-exporter',
    summary: 'An exporter cannot write its history.',
    headline:
      'The exporter at {{ $labels.instance }} failed to write {{ $value | humanize }} readings to its history.',
    description:
      'The exporter at {{ $labels.instance }} failed to write {{ $value | humanize }} readings lately and shows old data until it can. Look for a full disk or lost rights on history.file.',
    expression: (scope, { window }) =>
      `increase(${scope.select(selfFamilies.historyWriteFailures)}[${renderDuration(window)}]) > 0`,
    examples: {
      fires: {
        series: { [select(selfFamilies.historyWriteFailures, target)]: '0x9 9x40' },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '30m',
        labels: target,
        value: '9',
      },
      quiet: { series: { [select(selfFamilies.historyWriteFailures, target)]: '5x30' }, at: '30m' },
    },
  }),
  defineAlert({
    name: 'DbpmHistoryDamaged',
    severity: 'critical',
    for: '1m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'The history of an exporter is damaged.',
    headline: 'A part of the history of the exporter at {{ $labels.instance }} is damaged.',
    description:
      'The exporter at {{ $labels.instance }} found a part of its history damaged: it goes on polling, but what needs that part, such as cost or upkeep, stands still. Start it anew: it then sets the damaged file aside and goes on from the newest backup. Look at the disk: it may be failing.',
    expression: scope => `${scope.select(selfFamilies.historyDamaged)} == 1`,
    examples: {
      fires: {
        series: { [select(selfFamilies.historyDamaged, target)]: '0x9 1x9 0x10' },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '20m',
        labels: target,
      },
      quiet: { series: { [select(selfFamilies.historyDamaged, target)]: '0x30' }, at: '30m' },
    },
  }),
  defineAlert({
    name: 'DbpmHistorySetAside',
    severity: 'warning',
    for: '1m',
    thresholds: {
      window: { kind: 'duration', default: '1d', help: 'how long it is news that a history was set aside' },
    },
    board: 'dbpm-exporter',
    summary: 'An exporter set a damaged history aside.',
    headline: 'The exporter at {{ $labels.instance }} set a damaged history aside.',
    description:
      'The exporter at {{ $labels.instance }} found its history damaged when it started and set it aside. It goes on from the newest backup or, where there is none, all counters began anew: its log says which. Look at the disk: it may be failing.',
    expression: (scope, { window }) =>
      `time() - ${scope.select(selfFamilies.historySetAsideTimestamp)} < ${window}`,
    examples: {
      fires: {
        series: { [select(selfFamilies.historySetAsideTimestamp, target)]: '_x10 600x1500' },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '1450m',
        labels: target,
      },
      quiet: {
        series: { [select(selfFamilies.historySetAsideTimestamp, target)]: '0x1500' },
        at: '1450m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmHistoryBackupFailed',
    severity: 'warning',
    for: '3h',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'An exporter cannot make a backup of its history.',
    headline: 'The exporter at {{ $labels.instance }} cannot make a backup of its history.',
    description:
      'The exporter at {{ $labels.instance }} failed to make a backup of its history again and again, and tries it every hour. If the history is damaged now, it goes on from an old backup or begins anew. Its log says why: look for a full disk or lost rights on the folder of the backups.',
    expression: scope => `${scope.select(selfFamilies.historyBackupSuccess)} == 0`,
    examples: {
      fires: {
        series: { [select(selfFamilies.historyBackupSuccess, target)]: '1x9 0x199 1x10' },
        quietAt: '180m',
        firesAt: '191m',
        resolvedAt: '211m',
        labels: target,
      },
      quiet: {
        // One attempt failed, the next one succeeded.
        series: { [select(selfFamilies.historyBackupSuccess, target)]: '1x9 0x60 1x200' },
        at: '191m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmSeriesDropped',
    severity: 'warning',
    for: '15m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'An exporter leaves series off its page.',
    headline: 'The exporter at {{ $labels.instance }} leaves {{ $value | humanize }} series off its page.',
    description:
      'The exporter at {{ $labels.instance }} has {{ $value | humanize }} series more than series.limit_per_family lets it show: alerts and boards know nothing of what they are about. Raise the limit, or leave out projects or metrics you can do without.',
    expression: scope =>
      `sum ${labelList('without', selfFamilies.seriesDropped, 'family')} (${scope.select(selfFamilies.seriesDropped)}) > 0`,
    examples: {
      fires: {
        series: {
          [select(selfFamilies.seriesDropped, { ...target, family: 'dbpm_operations_total' })]:
            '0x5 250x19 0x10',
          [select(selfFamilies.seriesDropped, { ...target, family: 'dbpm_endpoint_state' })]:
            '0x5 50x19 0x10',
        },
        quietAt: '20m',
        firesAt: '21m',
        resolvedAt: '26m',
        labels: target,
        value: '300',
      },
      quiet: {
        // A burst of short operations came and went.
        series: {
          [select(selfFamilies.seriesDropped, { ...target, family: 'dbpm_operations_total' })]:
            '0x5 250x10 0x20',
        },
        at: '21m',
      },
    },
  }),
];
