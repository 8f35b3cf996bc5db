import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList, select } from '../promql.ts';
import { defineAlert, named, outlastsSilence, project } from './alert.ts';
import { nameProject, onProject, type RuleScope } from './rule-scope.ts';

const { state, pendingState, disabled } = endpointFamilies;
const { lastRefreshTimestamp } = projectFamilies;

const endpoint = { ...project, endpoint_id: 'e1' } as const;
const refreshed = { [select(lastRefreshTimestamp, project)]: '0+60x10000' };
const onEndpoint = labelList('on', state, 'instance', 'account', 'project_id', 'endpoint_id');

/** Narrows to endpoints of projects that were read lately: an old reading of a state may no longer be true. */
function whileFresh(scope: RuleScope, expression: string): string {
  return `${expression}\n  and ${onProject}\n  ${scope.select(lastRefreshTimestamp)} > time() - 1800`;
}

/** Whether endpoints are in the state they should be in. */
export const endpointStateAlerts = [
  defineAlert({
    name: 'DbpmEndpointStuckInTransition',
    severity: 'warning',
    for: '15m',
    keepFiringFor: outlastsSilence,
    thresholds: {},
    board: 'dbpm-endpoints',
    summary: 'An endpoint is stuck between two states.',
    headline:
      'Endpoint {{ $labels.endpoint_id }} of project {{ $labels.project_name }} does not arrive at the state it is changing to.',
    description:
      'Endpoint {{ $labels.endpoint_id }} of project {{ $labels.project_name }} has been starting, stopping or changing for too long, and its database may be out of reach. Look for its operation in the console; if none is going on, ask the support of the service.',
    expression: scope => {
      const changing = [
        scope.select(pendingState),
        'or',
        `${scope.select(state, { state: 'init' })} == 1`,
      ].join('\n    ');
      const either = `max ${labelList('without', state, 'state')} (\n    ${changing}\n  ) == 1`;
      return nameProject(scope, `(\n  ${whileFresh(scope, either)}\n)`);
    },
    examples: {
      fires: {
        series: {
          ...named,
          ...refreshed,
          [select(state, { ...endpoint, state: 'init' })]: '0x4 1x5 0x60',
          [select(pendingState, { ...endpoint, state: 'active' })]: '_x5 1x24 stale',
        },
        quietAt: '19m',
        firesAt: '20m',
        resolvedAt: '40m',
        labels: { ...endpoint, project_name: 'shop' },
      },
      quiet: {
        // The last reading is half an hour old: the endpoint may have arrived long ago.
        series: {
          ...named,
          [select(lastRefreshTimestamp, project)]: '-1800x100',
          [select(state, { ...endpoint, state: 'init' })]: '1x100',
        },
        at: '60m',
      },
      compact: {
        fires: {
          series: {
            ...named,
            ...refreshed,
            [select(state, { ...endpoint, state: 'idle' })]: '1x4 stale',
            [select(state, { ...endpoint, state: 'init' })]: '_x5 1x24 stale',
            [select(state, { ...endpoint, state: 'active' })]: '_x30 1x30',
          },
        },
        quiet: {
          series: {
            ...named,
            ...refreshed,
            [select(state, { ...endpoint, state: 'init' })]: '1x4 stale',
            [select(state, { ...endpoint, state: 'active' })]: '_x5 1x60',
          },
          at: '30m',
        },
      },
    },
  }),
  defineAlert({
    name: 'DbpmEndpointDisabledButActive',
    severity: 'warning',
    for: '15m',
    keepFiringFor: outlastsSilence,
    thresholds: {},
    board: 'dbpm-endpoints',
    summary: 'An endpoint is disabled and runs all the same.',
    headline:
      'Endpoint {{ $labels.endpoint_id }} of project {{ $labels.project_name }} is disabled and runs all the same.',
    description:
      'Endpoint {{ $labels.endpoint_id }} of project {{ $labels.project_name }} accepts no connections but is awake and paid for. Suspend it in the console, or enable it if it was disabled by mistake.',
    expression: scope => {
      const both = `${scope.select(disabled)} == 1\n  and ${onEndpoint}\n  ${scope.select(state, { state: 'active' })} == 1`;
      return nameProject(scope, `(\n  ${whileFresh(scope, both)}\n)`);
    },
    examples: {
      fires: {
        series: {
          ...named,
          ...refreshed,
          [select(disabled, endpoint)]: '0x4 1x60',
          [select(state, { ...endpoint, state: 'active' })]: '1x29 0x30',
        },
        quietAt: '19m',
        firesAt: '20m',
        resolvedAt: '40m',
        labels: { ...endpoint, project_name: 'shop' },
      },
      quiet: {
        series: {
          ...named,
          ...refreshed,
          [select(disabled, endpoint)]: '1x60',
          [select(state, { ...endpoint, state: 'active' })]: '1x4 0x50',
        },
        at: '30m',
      },
      compact: {
        fires: {
          series: {
            ...named,
            ...refreshed,
            [select(disabled, endpoint)]: '_x5 1x60',
            [select(state, { ...endpoint, state: 'active' })]: '1x29 stale',
            [select(state, { ...endpoint, state: 'stopped' })]: '_x30 1x30',
          },
        },
        quiet: {
          series: {
            ...named,
            ...refreshed,
            [select(disabled, endpoint)]: '1x60',
            [select(state, { ...endpoint, state: 'active' })]: '1x4 stale',
            [select(state, { ...endpoint, state: 'stopped' })]: '_x5 1x50',
          },
        },
      },
    },
  }),
];
