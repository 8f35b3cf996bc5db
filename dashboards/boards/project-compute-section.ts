import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hours } from './look.ts';
import { perProject } from './name.ts';
import { operationPanel } from './operation-flow-section.ts';
import { timeline, timeseries } from './panel.ts';
import { growthIn, scoped } from './scope.ts';
import { stateCode, stateMappings } from './state.ts';
import { inHours } from './usage-query.ts';

/** Panels on the project's usage, the time its endpoints were awake, and what the service did. */
export const projectComputeSection: Section = {
  title: 'Compute and operations',
  panels: [
    timeseries({
      title: 'Compute hours an hour',
      description: 'Compute hours used in the hour before each moment.',
      ...hours,
      decimals: 2,
      width: 12,
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
      unit: 'none',
      width: 12,
      height: 9,
      mappings: stateMappings,
      queries: [
        {
          expression: `max ${labelList('by', endpointFamilies.state, 'endpoint_id')} (${stateCode()})`,
          legend: ['endpoint_id'],
        },
      ],
    }),
    timeseries({
      title: 'Starts and suspends',
      description:
        'Finished starts and suspends in the hour before each moment, over all endpoints of the project.',
      unit: 'none',
      decimals: 1,
      width: 12,
      queries: [
        { expression: `sum(${growthIn('1h', endpointFamilies.starts)})`, legend: 'starts an hour' },
        { expression: `sum(${growthIn('1h', endpointFamilies.suspends)})`, legend: 'suspends an hour' },
      ],
    }),
    timeseries({
      title: 'Compute hours as the service counts',
      description:
        'cpu_used_sec as reported, in hours. The service sets it back each billing period; the other numbers add on regardless.',
      ...hours,
      width: 12,
      queries: [
        {
          expression: perProject(inHours(scoped(projectFamilies.cpuUsedReportedSeconds))),
          legend: ['project_name'],
        },
      ],
    }),
    operationPanel,
  ],
};
