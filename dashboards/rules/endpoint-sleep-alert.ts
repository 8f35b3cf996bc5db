import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert, named, project } from './alert.ts';
import { endpointAwakeRatio } from './recording-rule.ts';
import { nameProject, renderDuration } from './rule-scope.ts';

const { info: endpointInfo, stateSeconds, starts, createdTimestamp } = endpointFamilies;

const endpoint = { ...project, endpoint_id: 'e1' } as const;
const onEndpoint = labelList('on', endpointInfo, 'instance', 'account', 'project_id', 'endpoint_id');

/** Whether endpoints sleep and wake as they should. */
export const endpointSleepAlerts = [
  defineAlert({
    name: 'DbpmEndpointNeverSuspends',
    severity: 'info',
    for: '15m',
    keepFiringFor: '1h',
    thresholds: {
      window: { kind: 'duration', default: '1d', help: 'how far back the time awake is counted' },
      share: { kind: 'number', default: '0.97', help: 'the share of that time awake that counts as always' },
    },
    board: 'dbpm-endpoints',
    summary: 'An endpoint is awake around the clock.',
    headline:
      'Endpoint {{ $labels.endpoint_id }} of project {{ $labels.project_name }} was awake {{ $value | humanizePercentage }} of the time.',
    description:
      'Endpoint {{ $labels.endpoint_id }} of project {{ $labels.project_name }} was awake {{ $value | humanizePercentage }} of the time and is paid for all of it. If its database need not be, look for a client that polls or a pool that keeps connections open, and at its auto-suspend delay.',
    expression: (scope, { window, share }) => {
      const awake = scope.select(endpointAwakeRatio);
      return nameProject(
        scope,
        [
          '(',
          `  avg_over_time(${awake}[${renderDuration(window)}]) > ${share}`,
          `  and ${onEndpoint}`,
          `  ${scope.select(createdTimestamp)} < time() - ${window}`,
          `  and ${onEndpoint}`,
          `  max_over_time(${awake}[1h] offset ${renderDuration(window)}) >= 0`,
          ')',
        ].join('\n'),
      );
    },
    examples: {
      evaluatedEvery: '5m',
      fires: {
        series: {
          ...named,
          [select(stateSeconds, { ...endpoint, state: 'active' })]: '0+60x2000 120000x400',
          [select(createdTimestamp, endpoint)]: '-200000x2400',
        },
        quietAt: '1455m',
        firesAt: '1460m',
        resolvedAt: '2120m',
        labels: { ...endpoint, project_name: 'shop' },
        value: '100%',
      },
      quiet: {
        // Asleep for one of the twenty-four hours.
        series: {
          ...named,
          [select(stateSeconds, { ...endpoint, state: 'active' })]: '0+60x700 42000x60 42060+60x900',
          [select(createdTimestamp, endpoint)]: '-200000x1700',
        },
        at: '1600m',
      },
      compact: {
        fires: {
          series: {
            ...named,
            [select(stateSeconds, { ...endpoint, state: 'active' })]: '0+60x2000 120000x400',
            [select(stateSeconds, { ...endpoint, state: 'other' })]: '600x2000 600+60x400',
            [select(createdTimestamp, endpoint)]: '-200000x2400',
          },
        },
        quiet: {
          series: {
            ...named,
            [select(stateSeconds, { ...endpoint, state: 'active' })]: '0x1700',
            [select(stateSeconds, { ...endpoint, state: 'other' })]: '0+60x1700',
            [select(createdTimestamp, endpoint)]: '-200000x1700',
          },
        },
      },
    },
  }),
  defineAlert({
    name: 'DbpmEndpointFlapping',
    severity: 'warning',
    for: '15m',
    keepFiringFor: '30m',
    thresholds: {
      starts: { kind: 'number', default: '6', help: 'more starts than this are too many' },
      window: { kind: 'duration', default: '1h', help: 'how far back starts are counted' },
    },
    board: 'dbpm-endpoints',
    summary: 'An endpoint wakes and falls asleep all the time.',
    headline:
      'Endpoint {{ $labels.endpoint_id }} of project {{ $labels.project_name }} started about {{ $value | humanize }} times lately.',
    description:
      'Endpoint {{ $labels.endpoint_id }} of project {{ $labels.project_name }} started about {{ $value | humanize }} times lately, and every start keeps somebody waiting. Give it a longer auto-suspend delay, or make what wakes it connect less often.',
    expression: (scope, { starts: most, window }) =>
      nameProject(scope, `(\n  increase(${scope.select(starts)}[${renderDuration(window)}]) > ${most}\n)`),
    examples: {
      fires: {
        // A start every eight minutes, ten of them.
        series: {
          ...named,
          [select(starts, endpoint)]: '0x59 1x7 2x7 3x7 4x7 5x7 6x7 7x7 8x7 9x7 10x200',
        },
        quietAt: '122m',
        firesAt: '123m',
        resolvedAt: '174m',
        labels: { ...endpoint, project_name: 'shop' },
        value: '7',
      },
      quiet: { series: { ...named, [select(starts, endpoint)]: '0x59 6x100' }, at: '90m' },
    },
  }),
];
