import { projectFamilies } from '../../src/resources/project.ts';
import { projectFindingFamilies } from '../../src/resources/usage/finding.ts';
import { labelList } from '../promql.ts';
import { currencyColumn, projectColumns } from './column.ts';
import { money } from './look.ts';
import { joined, perProject, withProjectName } from './name.ts';
import { scoped } from './scope.ts';
import { table } from './table.ts';

const { branches, costPerMonth, costBound } = projectFindingFamilies;
const priced = joined(costPerMonth, projectFamilies.info);
const byCost = labelList('by', priced, 'account', 'project_id', 'project_name', 'currency');

/** The projects with many branches that nobody uses, and what these cost. */
export const branchFindingPanel = table({
  title: 'Branches nobody uses',
  description:
    'Projects with many branches that have expired or that nobody used for long, and what these cost in 30 days by the meter of the service, likely and at most: delete those that nobody needs. Branches are read where `collect.branches` is on. The report of findings names some of them.',
  width: 24,
  height: 7,
  labels: [...projectColumns, currencyColumn],
  values: [
    {
      title: 'Likely',
      expression: `max ${byCost} (${withProjectName(scoped(costPerMonth))})`,
      ...money,
      noValue: 'not known',
    },
    {
      title: 'At most',
      expression: `max ${byCost} (${withProjectName(scoped(costBound, { bound: 'at_most' }))})`,
      ...money,
      noValue: 'not known',
    },
    { title: 'Unused branches', expression: perProject(scoped(branches)), unit: 'none' },
  ],
  sortBy: ['At most', 'Unused branches'],
});
