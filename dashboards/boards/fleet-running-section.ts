import { accountFamilies } from '../../src/resources/account.ts';
import { endpointFamilies } from '../../src/resources/endpoint.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { seriesToProject, toBoard } from './link.ts';
import { hours } from './look.ts';
import { perProject } from './name.ts';
import { stat, timeseries } from './panel.ts';
import { growthIn, increaseInRange, mostInRange, scoped } from './scope.ts';
import { seriesBy } from './series.ts';
import { isActive, statePanel } from './state.ts';
import { projectColumns, table } from './table.ts';
import { inHours } from './usage-query.ts';

/** Panels on running endpoints and their usage. */
export const fleetRunningSection: Section = {
  title: 'What is running',
  panels: [
    stat({
      title: 'Projects',
      description: 'Projects the accounts have now.',
      width: 6,
      expression: `count(${scoped(projectFamilies.info)})`,
    }),
    stat({
      title: 'Endpoints',
      description: 'Compute endpoints of the projects.',
      width: 6,
      expression: `count(${scoped(endpointFamilies.info)})`,
    }),
    stat({
      title: 'Active endpoints',
      description: 'Endpoints that are awake now and use compute.',
      width: 6,
      expression: `sum(${isActive()})`,
    }),
    stat({
      title: 'Compute hours used',
      description: 'Compute hours all projects used within the time range, deleted ones included.',
      ...hours,
      width: 6,
      expression: `sum(${inHours(increaseInRange(accountFamilies.cpuUsedSeconds))})`,
      links: [toBoard('dbpm-usage-cost', 'Open usage and cost')],
    }),
    statePanel,
    timeseries({
      title: 'Compute hours an hour, by account',
      description: 'Compute hours used in the hour before each moment.',
      ...hours,
      stack: true,
      queries: [
        seriesBy(
          'sum',
          accountFamilies.cpuUsedSeconds,
          ['account'],
          inHours(growthIn('1h', accountFamilies.cpuUsedSeconds)),
        ),
      ],
    }),
    timeseries({
      title: 'Ten busiest projects',
      description:
        'Compute hours used in the hour before each moment by the ten projects that used most within the time range.',
      ...hours,
      links: [seriesToProject],
      queries: [
        {
          expression: useOfBusiest(),
          legend: ['project_name', 'project_id'],
        },
      ],
    }),
    table({
      title: 'Projects that used most compute',
      description: 'Compute hours within the time range, the first fifty. A name leads to the project.',
      labels: projectColumns,
      values: [
        {
          title: 'Compute hours',
          expression: `topk(50, ${perProject(inHours(increaseInRange(projectFamilies.cpuUsedSeconds)))} > 0)`,
          ...hours,
        },
      ],
      sortBy: 'Compute hours',
    }),
  ],
};

function useOfBusiest(): string {
  const { cpuUsedSeconds } = projectFamilies;
  const series = perProject(inHours(growthIn('1h', cpuUsedSeconds)));
  const onProject = labelList('on', cpuUsedSeconds, 'account', 'project_id');
  return `${series} and ${onProject} ${mostInRange(10, cpuUsedSeconds, 'account', 'project_id')}`;
}
