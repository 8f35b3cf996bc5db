import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert } from './alert.ts';
import { target } from './example.ts';
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
        headline: 'The exporter at dbpm:10062 failed to write 9 readings to its history.',
        description:
          'The exporter at dbpm:10062 failed to write 9 readings lately and shows old data until it can. Look for a full disk or lost rights on history.file.',
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
      'The exporter at {{ $labels.instance }} found a part of its history damaged: it goes on polling, but what needs that part, such as cost or upkeep, stands still. Stop it, run "dbpm-exporter check-history", and restore the last backup or save what can be read with "dbpm-exporter salvage". Look at the disk: it may be failing.',
    expression: scope => `${scope.select(selfFamilies.historyDamaged)} == 1`,
    examples: {
      fires: {
        series: { [select(selfFamilies.historyDamaged, target)]: '0x9 1x9 0x10' },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '20m',
        labels: target,
        headline: 'A part of the history of the exporter at dbpm:10062 is damaged.',
        description:
          'The exporter at dbpm:10062 found a part of its history damaged: it goes on polling, but what needs that part, such as cost or upkeep, stands still. Stop it, run "dbpm-exporter check-history", and restore the last backup or save what can be read with "dbpm-exporter salvage". Look at the disk: it may be failing.',
      },
      quiet: { series: { [select(selfFamilies.historyDamaged, target)]: '0x30' }, at: '30m' },
    },
  }),
  defineAlert({
    name: 'DbpmHistorySetAside',
    severity: 'warning',
    for: '1m',
    thresholds: {
      window: { kind: 'duration', default: '1d', help: 'how long it is news that a history was begun anew' },
    },
    board: 'dbpm-exporter',
    summary: 'An exporter set a damaged history aside and began another one.',
    headline: 'The exporter at {{ $labels.instance }} set a damaged history aside and began another one.',
    description:
      'The exporter at {{ $labels.instance }} found its history damaged when it started, set it aside and began another one with what could be read of it. The log of the exporter says what is lost, and which counters began anew. To go on from the last backup instead, stop the exporter, put the backup in the place of the history, and start it again. Look at the disk: it may be failing.',
    expression: (scope, { window }) =>
      `time() - ${scope.select(selfFamilies.historySetAsideTimestamp)} < ${window}`,
    examples: {
      fires: {
        series: { [select(selfFamilies.historySetAsideTimestamp, target)]: '_x10 600x1500' },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '1450m',
        labels: target,
        headline: 'The exporter at dbpm:10062 set a damaged history aside and began another one.',
        description:
          'The exporter at dbpm:10062 found its history damaged when it started, set it aside and began another one with what could be read of it. The log of the exporter says what is lost, and which counters began anew. To go on from the last backup instead, stop the exporter, put the backup in the place of the history, and start it again. Look at the disk: it may be failing.',
      },
      quiet: {
        series: { [select(selfFamilies.historySetAsideTimestamp, target)]: '0x1500' },
        at: '1450m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmSeriesDropped',
    severity: 'warning',
    for: '15m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'An exporter leaves series off its page to keep within a limit.',
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
        headline: 'The exporter at dbpm:10062 leaves 300 series off its page.',
        description:
          'The exporter at dbpm:10062 has 300 series more than series.limit_per_family lets it show: alerts and boards know nothing of what they are about. Raise the limit, or leave out projects or metrics you can do without.',
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
