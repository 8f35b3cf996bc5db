import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { operationFamilies } from '../../src/resources/operation.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { startPanel } from './endpoint-sleep-section.ts';
import { hours } from './look.ts';
import { perProject } from './name.ts';
import { operationPanel } from './operation-flow-section.ts';
import { hourlyGrowth } from './operation-query.ts';
import { stat, timeline, timeseries } from './panel.ts';
import { age, growthIn, scoped } from './scope.ts';
import { seriesBy } from './series.ts';
import { stateCode, stateMappings } from './state.ts';
import { table } from './table.ts';
import { inHours } from './usage-query.ts';

/** Panels on operations of the project that failed, or did not end: empty while all is well. */
export const projectOperationSection: Section = {
  title: 'Operations that failed, or did not end',
  isFolded: true,
  panels: [
    timeseries({
      title: 'Failed attempts',
      description:
        'Failed attempts in the hour before each moment, by action; the service tries again on its own.',
      decimals: 1,
      filledBy: 'attempts failed',
      queries: [hourlyGrowth(operationFamilies.attemptFailures, 'action')],
    }),
    table({
      title: 'Unfinished operations',
      description: 'Operations that have not reached an end.',
      width: 8,
      height: 7,
      filledBy: 'operation stuck',
      labels: [
        { label: 'action', title: 'Action', words: 'own' },
        { label: 'status', title: 'Status' },
      ],
      values: [
        {
          title: 'Operations',
          expression: `sum ${labelList('by', operationFamilies.inProgress, 'action', 'status')} (${scoped(operationFamilies.inProgress)})`,
        },
      ],
      sortBy: 'Operations',
    }),
    stat({
      title: 'Next attempt',
      description: 'In how long the service tries an unfinished operation again, where it says so.',
      unit: 's',
      height: 7,
      noValue: 'none, or not reported',
      filledBy: 'later service',
      expression: `min(${scoped(operationFamilies.nextRetryTimestamp)}) - time()`,
    }),
    table({
      title: 'Last failure by action',
      description: 'When an operation of each action last failed, ever; the latest first.',
      height: 7,
      filledBy: 'operation failed',
      labels: [{ label: 'action', title: 'Action', words: 'own' }],
      values: [
        {
          title: 'Since failure',
          expression: `min ${labelList('by', operationFamilies.lastFailureTimestamp, 'action')} (${age(operationFamilies.lastFailureTimestamp)})`,
          unit: 's',
        },
      ],
      sortBy: 'Since failure',
      ascending: true,
    }),
  ],
};

/** Panels on the project's usage, the time its endpoints were awake, and what the service did. */
export const projectComputeSection: Section = {
  title: 'Compute and operations',
  panels: [
    timeseries({
      title: 'Compute hours an hour',
      description: 'Compute hours used in the hour before each moment.',
      ...hours,
      decimals: 2,
      queries: [
        {
          expression: perProject(inHours(growthIn('1h', projectFamilies.cpuUsedSeconds))),
          legend: ['project_name'],
        },
      ],
    }),
    timeline({
      title: 'State of the endpoints',
      description: 'What each endpoint was doing: active uses compute, idle sleeps.',
      height: 9,
      mappings: stateMappings,
      queries: [seriesBy('max', endpointFamilies.state, ['endpoint_id'], stateCode())],
    }),
    startPanel('all endpoints of the project'),
    timeseries({
      title: 'Compute hours as the service counts',
      description:
        'cpu_used_sec as reported, in hours. The service sets it back each billing period; the other numbers add on regardless.',
      ...hours,
      queries: [
        {
          expression: perProject(inHours(scoped(projectFamilies.cpuUsedReportedSeconds))),
          legend: ['project_name'],
        },
      ],
    }),
    operationPanel(24),
  ],
};
