import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { perProject } from './name.ts';
import { timeline, timeseries } from './panel.ts';
import { rate, scoped } from './scope.ts';
import { stateCode, stateMappings } from './state.ts';

/** Panels on the project's usage, and the time its endpoints were awake. */
export const projectComputeSection: Section = {
  title: 'Compute',
  panels: [
    timeseries({
      title: 'Compute used',
      description: 'CPU seconds used a second: 1 is one CPU busy all the time.',
      unit: 'none',
      decimals: 2,
      width: 12,
      queries: [{ expression: perProject(rate(projectFamilies.cpuUsedSeconds)), legend: ['project_name'] }],
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
      description: 'Finished starts and suspends an hour, over all endpoints of the project.',
      unit: 'none',
      decimals: 1,
      width: 12,
      queries: [
        { expression: `3600 * sum(${rate(endpointFamilies.starts)})`, legend: 'starts an hour' },
        { expression: `3600 * sum(${rate(endpointFamilies.suspends)})`, legend: 'suspends an hour' },
      ],
    }),
    timeseries({
      title: 'Compute as the service counts',
      description:
        'cpu_used_sec as reported. The service sets it back each billing period; the other numbers add on regardless.',
      unit: 's',
      width: 12,
      queries: [
        {
          expression: perProject(scoped(projectFamilies.cpuUsedReportedSeconds)),
          legend: ['project_name'],
        },
      ],
    }),
  ],
};
