import { anyAction, failureStatuses, operationFamilies } from '../../src/resources/operation.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert, named, outlastsSilence, project } from './alert.ts';
import { nameProject, onProject, renderDuration } from './rule-scope.ts';

const { ended, attemptFailures, lastFailureTimestamp } = operationFamilies;

const failure = { matches: failureStatuses.join('|') };
const onAction = labelList('on', ended, 'instance', 'account', 'project_id', 'action');

/** Whether operations end well. */
export const operationFailureAlerts = [
  defineAlert({
    name: 'DbpmOperationFailed',
    severity: 'warning',
    for: '1m',
    keepFiringFor: outlastsSilence,
    thresholds: {
      window: { kind: 'duration', default: '1h', help: 'how long a failure is news' },
    },
    board: 'dbpm-operations',
    incident: 'last-failed',
    summary: 'An operation of a project ended in failure.',
    headline: 'Operation {{ $labels.action }} of project {{ $labels.project_name }} failed.',
    description:
      'An operation {{ $labels.action }} of project {{ $labels.project_name }} ({{ $labels.project_id }}) failed, the last one at {{ $value | humanizeTimestamp }}. See its error in the console of the service, then do again what asked for it.',
    expression: (scope, { window }) => {
      const failed = `increase(${scope.select(ended, { status: failure })}[${renderDuration(window)}])`;
      const last = scope.select(lastFailureTimestamp);
      const failedAny = `increase(${scope.select(ended, { action: anyAction, status: failure })}[${renderDuration(window)}])`;
      // The time alone misses failures while the exporter was down; the count alone the first failure of a new project.
      // A compact page counts all actions together, and has the time of the newest failure only: it is of that one.
      const recent = [
        `${last} > time() - ${window}`,
        'or',
        `${last} and ${onAction} (sum ${labelList('without', ended, 'status')} (${failed}) > 0)`,
        'or',
        `${last} and ${onProject} (sum ${labelList('without', ended, 'action', 'status')} (${failedAny}) > 0)`,
      ];
      return nameProject(scope, `(\n  ${recent.join('\n  ')}\n)`);
    },
    examples: {
      fires: {
        // A project is discovered after its first operation failed: no count ever grew before our eyes.
        series: {
          ...named,
          [select(ended, { ...project, action: 'start_compute', status: 'failed' })]: '_x4 1x200',
          [select(lastFailureTimestamp, { ...project, action: 'start_compute' })]: '_x4 240x200',
        },
        quietAt: '4m',
        firesAt: '5m',
        resolvedAt: '74m',
        labels: { ...project, project_name: 'shop', action: 'start_compute' },
        value: '1970-01-01 00:04:00 +0000 UTC',
      },
      quiet: {
        // The first reading brings failures of long ago.
        series: {
          ...named,
          [select(ended, { ...project, action: 'start_compute', status: 'failed' })]: '_x4 7x60',
          [select(lastFailureTimestamp, { ...project, action: 'start_compute' })]: '_x4 -7200x60',
        },
        at: '10m',
      },
      compact: {
        fires: {
          // It failed while the exporter was down, two hours before the next reading.
          series: {
            ...named,
            [select(ended, { ...project, action: anyAction, status: 'failed' })]: '2x9 3x200',
            [select(lastFailureTimestamp, { ...project, action: 'apply_config' })]: '-90000x9 stale',
            [select(lastFailureTimestamp, { ...project, action: 'start_compute' })]: '_x10 -7200x200',
          },
          quietAt: '10m',
          firesAt: '11m',
          resolvedAt: '82m',
          value: '1969-12-31 22:00:00 +0000 UTC',
        },
        quiet: {
          // The first reading brings failures of long ago.
          series: {
            ...named,
            [select(ended, { ...project, action: anyAction, status: 'failed' })]: '_x4 7x60',
            [select(lastFailureTimestamp, { ...project, action: 'start_compute' })]: '_x4 -7200x60',
          },
        },
      },
    },
  }),
  defineAlert({
    name: 'DbpmOperationAttemptsFail',
    severity: 'warning',
    for: '5m',
    keepFiringFor: '15m',
    thresholds: {
      attempts: { kind: 'number', default: '3', help: 'more failed attempts than this are too many' },
      window: { kind: 'duration', default: '1h', help: 'how far back attempts are counted' },
    },
    board: 'dbpm-operations',
    summary: 'Attempts at an operation fail again and again.',
    headline:
      'About {{ $value | humanize }} attempts of action {{ $labels.action }} failed in project {{ $labels.project_name }}.',
    description:
      'About {{ $value | humanize }} attempts of action {{ $labels.action }} failed in project {{ $labels.project_name }} ({{ $labels.project_id }}) lately. An operation that goes on is still retried: see its error in the console before it fails for good.',
    expression: (scope, { attempts, window }) => {
      const failed = `increase(${scope.select(attemptFailures)}[${renderDuration(window)}])`;
      // An operation that failed for good has an alert of its own: its attempts would be told again when that one ends.
      const failedForGood = `${scope.select(lastFailureTimestamp)} > time() - ${window}`;
      return nameProject(scope, `(\n  ${failed} > ${attempts}\n  unless ${onAction}\n  ${failedForGood}\n)`);
    },
    examples: {
      fires: {
        series: {
          ...named,
          [select(attemptFailures, { ...project, action: 'start_compute' })]: '0x59 4x200',
        },
        quietAt: '64m',
        firesAt: '65m',
        resolvedAt: '135m',
        labels: { ...project, project_name: 'shop', action: 'start_compute' },
        value: '4',
      },
      quiet: {
        series: {
          ...named,
          [select(attemptFailures, { ...project, action: 'start_compute' })]: '0x59 3x200',
        },
        at: '90m',
      },
      compact: {
        fires: {
          series: { ...named, [select(attemptFailures, { ...project, action: anyAction })]: '0x59 4x200' },
          labels: { ...project, project_name: 'shop', action: anyAction },
        },
        quiet: {
          series: { ...named, [select(attemptFailures, { ...project, action: anyAction })]: '0x59 3x200' },
        },
      },
    },
  }),
];
