import { accountFamilies } from '../../src/resources/account.ts';
import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { projectColumns } from './column.ts';
import { seriesToProject, toBoard } from './link.ts';
import { perProject } from './name.ts';
import { stat, timeseries } from './panel.ts';
import { increaseInRange, rate, scoped } from './scope.ts';
import { isActive, stateColours } from './state.ts';
import { table } from './table.ts';

/** Panels on running endpoints and their usage. */
export const fleetRunningSection: Section = {
  title: 'What is running',
  panels: [
    stat({
      title: 'Projects',
      description: 'Projects the accounts have now.',
      unit: 'none',
      width: 6,
      expression: `count(${scoped(projectFamilies.info)})`,
    }),
    stat({
      title: 'Endpoints',
      description: 'Compute endpoints of the projects.',
      unit: 'none',
      width: 6,
      expression: `count(${scoped(endpointFamilies.info)})`,
    }),
    stat({
      title: 'Active endpoints',
      description: 'Endpoints that are awake now and use compute.',
      unit: 'none',
      width: 6,
      expression: `sum(${isActive()})`,
    }),
    stat({
      title: 'Compute used',
      description: 'CPU time all projects used within the time range, deleted ones included.',
      unit: 's',
      width: 6,
      expression: `sum(${increaseInRange(accountFamilies.cpuUsedSeconds)})`,
      links: [toBoard('dbpm-usage-cost', 'Open usage and cost')],
    }),
    timeseries({
      title: 'Endpoints by state',
      description: 'What the endpoints are doing: active ones use compute, idle ones sleep.',
      unit: 'none',
      width: 12,
      stack: true,
      colours: stateColours,
      queries: [
        {
          expression: `sum ${labelList('by', endpointFamilies.state, 'state')} (${scoped(endpointFamilies.state)})`,
          legend: ['state'],
        },
      ],
    }),
    timeseries({
      title: 'Compute used, by account',
      description: 'CPU seconds used a second: 1 is one CPU busy all the time.',
      unit: 'none',
      decimals: 2,
      width: 12,
      queries: [
        {
          expression: `sum ${labelList('by', accountFamilies.cpuUsedSeconds, 'account')} (${rate(accountFamilies.cpuUsedSeconds)})`,
          legend: ['account'],
        },
      ],
    }),
    timeseries({
      title: 'Ten busiest projects',
      description: 'CPU seconds used a second by the ten projects that used most at each moment.',
      unit: 'none',
      decimals: 2,
      width: 12,
      links: [seriesToProject],
      queries: [
        {
          expression: `topk(10, ${perProject(rate(projectFamilies.cpuUsedSeconds))} > 0)`,
          legend: ['project_name', 'project_id'],
        },
      ],
    }),
    table({
      title: 'Projects that used most compute',
      description: 'CPU time within the time range, the first fifty. A name leads to the project.',
      width: 12,
      labels: projectColumns,
      values: [
        {
          title: 'Compute used',
          expression: `topk(50, ${perProject(increaseInRange(projectFamilies.cpuUsedSeconds))} > 0)`,
          unit: 's',
        },
      ],
      sortBy: 'Compute used',
    }),
  ],
};
