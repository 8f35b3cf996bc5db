import { operationDurationFamilies, operationFamilies } from '../../src/resources/operation.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { bucketsOf, labelList, select } from '../promql.ts';
import { account, defineAlert, named, outlastsSilence, project, type Series } from './alert.ts';
import { usualOperationDuration } from './recording-rule.ts';
import { nameProject, onProject, type RuleScope } from './rule-scope.ts';
import { allShards, isShard } from './shard-rule.ts';

const { inProgress, oldestInProgressTimestamp } = operationFamilies;
const { lastRefreshTimestamp } = projectFamilies;

/** Buckets of ended operations of one action, by upper bound. */
function observeDurations(action: string, counts: Readonly<Record<string, string>>): Series {
  const series = Object.entries(counts).map(([le, count]) => [
    select(bucketsOf(operationDurationFamilies.duration), { ...account, action, le }),
    count,
  ]);
  return Object.fromEntries(series);
}

const configDurations = observeDurations('apply_config', {
  '60': '0x400',
  '300': '0+1x400',
  '+Inf': '0+1x400',
});

/**
 * How old the oldest unfinished operation was when the project was last read: while nothing is read, it does not grow.
 */
const unfinishedFor = (scope: RuleScope): string =>
  `(${scope.select(lastRefreshTimestamp)} - ${scope.select(oldestInProgressTimestamp)})`;

/** How long the operations in progress of each project usually take, by action. */
function usualDurations(scope: RuleScope): string {
  const inProgressNow = `(${scope.select(inProgress)} > bool 0)`;
  const usual = scope.select(usualOperationDuration);
  const usualOfAll = scope.select(usualOperationDuration, { instance: allShards });
  const onInstance = labelList('on', inProgress, 'instance', 'account', 'action');
  const onJob = labelList('on', inProgress, 'job', 'account', 'action');
  return [
    `${inProgressNow} * ${onInstance} group_left ${usual}`,
    'or',
    `(${inProgressNow} ${isShard(scope)}) * ${onJob} group_left ${usualOfAll}`,
  ].join(' ');
}

/** Whether operations end at all. */
export const operationAgeAlerts = [
  defineAlert({
    name: 'DbpmOperationStuck',
    severity: 'warning',
    for: '5m',
    keepFiringFor: outlastsSilence,
    thresholds: {
      age: { kind: 'duration', default: '1h', help: 'an operation unfinished for longer is stuck' },
    },
    board: 'dbpm-operations',
    incident: 'oldest-open',
    summary: 'An operation of a project is stuck.',
    headline:
      'An operation of project {{ $labels.project_name }} has been going on for {{ $value | humanizeDuration }}.',
    description:
      'The oldest unfinished operation of project {{ $labels.project_name }} ({{ $labels.project_id }}) has been going on for {{ $value | humanizeDuration }}. Others on the project may have to wait for it: see it in the console, and ask the support of the service with its id.',
    expression: (scope, { age }) => nameProject(scope, `(\n  ${unfinishedFor(scope)} > ${age}\n)`),
    examples: {
      fires: {
        series: {
          ...named,
          [select(lastRefreshTimestamp, project)]: '0+60x200',
          [select(oldestInProgressTimestamp, project)]: '0x90 stale',
        },
        quietAt: '65m',
        firesAt: '66m',
        resolvedAt: '101m',
        labels: { ...project, project_name: 'shop' },
        value: '1h 6m 0s',
      },
      quiet: {
        // The project cannot be read: that the operation has not ended is no longer known.
        series: {
          ...named,
          [select(lastRefreshTimestamp, project)]: '0+60x30 1800x200',
          [select(oldestInProgressTimestamp, project)]: '0x230',
        },
        at: '200m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmOperationUnusuallyLong',
    severity: 'warning',
    for: '5m',
    keepFiringFor: outlastsSilence,
    thresholds: {
      factor: { kind: 'number', default: '10', help: 'how many times its usual duration is too long' },
      least: { kind: 'duration', default: '10m', help: 'an operation younger than this is never too long' },
    },
    board: 'dbpm-operations',
    incident: 'oldest-open',
    summary: 'An operation takes far longer than usual.',
    headline:
      'An operation of project {{ $labels.project_name }} takes {{ $value | humanizeDuration }} already, far longer than usual.',
    description:
      'The oldest unfinished operation of project {{ $labels.project_name }} ({{ $labels.project_id }}) has been going on for {{ $value | humanizeDuration }}, many times what 19 in 20 of its kind took in the last week. Look at the project in the console; if it is stuck, ask the support of the service.',
    expression: (scope, { factor, least }) => {
      // The action of the oldest one is not known: the slowest of those in progress counts.
      const slowest = `max ${labelList('without', inProgress, 'action', 'status')} (${usualDurations(scope)})`;
      const age = unfinishedFor(scope);
      return nameProject(
        scope,
        `(\n  ${age} > ${least}\n  and ${onProject}\n  ${age} > ${onProject} ${factor} * ${slowest}\n)`,
      );
    },
    examples: {
      fires: {
        // All applied configurations of the week took between one minute and five.
        series: {
          ...named,
          ...configDurations,
          [select(inProgress, { ...project, action: 'apply_config', status: 'running' })]: '_x10 1x79 stale',
          [select(lastRefreshTimestamp, project)]: '0+60x200',
          [select(oldestInProgressTimestamp, project)]: '_x10 600x79 stale',
        },
        quietAt: '63m',
        firesAt: '64m',
        resolvedAt: '100m',
        labels: { ...project, project_name: 'shop' },
        value: '54m 0s',
      },
      quiet: {
        // A slower action is in progress as well: the oldest may be of that one.
        series: {
          ...named,
          ...configDurations,
          ...observeDurations('create_branch', { '1800': '0x400', '7200': '0+1x400', '+Inf': '0+1x400' }),
          [select(inProgress, { ...project, action: 'apply_config', status: 'running' })]: '_x10 1x90',
          [select(inProgress, { ...project, action: 'create_branch', status: 'running' })]: '_x10 1x90',
          [select(lastRefreshTimestamp, project)]: '0+60x200',
          [select(oldestInProgressTimestamp, project)]: '_x10 600x90',
        },
        at: '80m',
      },
    },
  }),
];
