import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert, target } from './alert.ts';
import { targetUp } from './rule-scope.ts';

const stalled = { ...target, account: 'main' } as const;

/** Whether the exporter itself is there and does its work. */
export const exporterAlerts = [
  defineAlert({
    name: 'DbpmExporterDown',
    severity: 'critical',
    for: '5m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'Prometheus cannot scrape a dbpm-exporter.',
    headline: 'Prometheus cannot scrape the exporter at {{ $labels.instance }}.',
    description:
      'The exporter at {{ $labels.instance }} has not answered scrapes: nothing it watches can raise an alert. Look at its process and its log, and start it again.',
    expression: scope => `${scope.select(targetUp)} == 0`,
    examples: {
      fires: {
        series: { [select(targetUp, target)]: '1x5 0x9 1x10' },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '16m',
        labels: target,
      },
      quiet: { series: { [select(targetUp, target)]: '1x5 0x3 1x10' }, at: '11m' },
    },
  }),
  defineAlert({
    name: 'DbpmExporterAbsent',
    severity: 'critical',
    for: '10m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'Prometheus knows no dbpm-exporter to scrape.',
    headline: 'Prometheus knows no exporter to scrape for the job {{ $labels.job }}.',
    description:
      'No target of the job {{ $labels.job }} exists: nothing is watched. Look at the scrape configuration and at service discovery; if the job has another name, set rules.job.',
    expression: scope => `absent(${scope.select(targetUp)}) == 1`,
    examples: {
      fires: {
        series: { [select(targetUp, target)]: '1x5 stale _x14 1x5' },
        quietAt: '15m',
        firesAt: '16m',
        resolvedAt: '21m',
        labels: { job: 'dbpm' },
      },
      quiet: { series: { [select(targetUp, target)]: '0x20' }, at: '20m' },
    },
  }),
  defineAlert({
    name: 'DbpmNoActiveExporter',
    severity: 'critical',
    for: '1m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'Standbys wait, and no exporter is active.',
    headline: 'Every exporter of the job {{ $labels.job }} is a standby: none watches.',
    description:
      'All exporters of the job {{ $labels.job }} that answer wait for another one to leave the history, and none reads the service: what they show stands still. Look for a process that holds the history without working, such as one of another host or container, end it, and read in the log of the standby why it cannot take over.',
    expression: scope =>
      `min ${labelList('by', selfFamilies.standby, 'job', 'pair')} (${scope.select(selfFamilies.standby)}) == 1`,
    examples: {
      fires: {
        series: {
          [select(selfFamilies.standby, { ...target, pair: 'east' })]: '0x9 stale',
          [select(selfFamilies.standby, { ...target, pair: 'east', instance: 'spare:10062' })]: '1x14 0x10',
          // The other pair works.
          [select(selfFamilies.standby, { ...target, pair: 'west', instance: 'west:10062' })]: '0x30',
        },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '15m',
        labels: { job: 'dbpm', pair: 'east' },
      },
      quiet: {
        // Both answer, and one of them works.
        series: {
          [select(selfFamilies.standby, target)]: '0x20',
          [select(selfFamilies.standby, { ...target, instance: 'spare:10062' })]: '1x20',
        },
        at: '20m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmConfigReloadFailed',
    severity: 'warning',
    for: '5m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'An exporter runs on its old configuration.',
    headline: 'The exporter at {{ $labels.instance }} refused its new configuration and runs on the old one.',
    description:
      'The exporter at {{ $labels.instance }} could not load its configuration and keeps the one before. Run "dbpm-exporter check-config" where it runs, mend what it names, and reload.',
    expression: scope => `${scope.select(selfFamilies.lastReloadSuccessful)} == 0`,
    examples: {
      fires: {
        series: { [select(selfFamilies.lastReloadSuccessful, target)]: '1x5 0x9 1x10' },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '16m',
        labels: target,
      },
      quiet: { series: { [select(selfFamilies.lastReloadSuccessful, target)]: '1x5 0x3 1x10' }, at: '11m' },
    },
  }),
  defineAlert({
    name: 'DbpmPollingStalled',
    severity: 'critical',
    for: '1m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'An exporter does not poll an account any more.',
    headline: 'The exporter at {{ $labels.instance }} does not poll account {{ $labels.account }} any more.',
    description:
      'Polling account {{ $labels.account }} has given no sign of life for minutes, whatever the service does: what is shown of it stands still. Start the exporter at {{ $labels.instance }} again, and report what its log says has stalled.',
    expression: scope => `${scope.select(selfFamilies.pollingStalled)} == 1`,
    examples: {
      fires: {
        series: { [select(selfFamilies.pollingStalled, stalled)]: '0x9 1x9 0x10' },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '20m',
        labels: stalled,
      },
      quiet: { series: { [select(selfFamilies.pollingStalled, stalled)]: '0x30' }, at: '30m' },
    },
  }),
];
