import { projectFamilies } from '../../src/resources/project.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { groupUsageFamilies } from '../../src/resources/usage/group.ts';
import { projectUsageFamilies } from '../../src/resources/usage/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { currencyColumn, narrowProjectColumns } from './column.ts';
import { hours, money } from './look.ts';
import { joined, perProject, withProjectName } from './name.ts';
import { timeseries } from './panel.ts';
import { growthIn, scoped } from './scope.ts';
import { table } from './table.ts';
import { inHours, perAccountCurrency, perGroup } from './usage-query.ts';

const { periodCost, periodComputeSeconds } = groupUsageFamilies;

/** Panels on the shares of groups and projects in usage and cost. */
export const usageShareSection: Section = {
  title: 'Who uses it?',
  panels: [
    timeseries({
      title: 'Cost by group',
      description:
        'Cost since the billing period began, by the groups of the grouping chosen above: they add up to the cost of the accounts; what no group matches is in `ungrouped`.',
      ...money,
      width: 12,
      stack: true,
      noValue: 'no groups or no price book',
      queries: [{ expression: perGroup(scoped(periodCost), 'currency'), legend: ['group', 'currency'] }],
    }),
    timeseries({
      title: 'Compute hours by group',
      description: 'Compute hours since the billing period began, by the same groups.',
      ...hours,
      width: 12,
      stack: true,
      noValue: 'no groups',
      queries: [{ expression: perGroup(inHours(scoped(periodComputeSeconds))), legend: ['group'] }],
    }),
    table({
      title: 'Projects by use',
      description:
        'The projects that cost or used most since the billing period began. Compute hours are those that the service counts, in its own billing period. A name leads to the project.',
      width: 12,
      labels: [...narrowProjectColumns, currencyColumn],
      values: [
        { title: 'Cost', expression: mostCost(), ...money, noValue: 'no price' },
        {
          title: 'Compute hours',
          expression: `topk(20, ${perProject(inHours(scoped(projectFamilies.cpuUsedReportedSeconds)))})`,
          ...hours,
          noValue: 'not told',
        },
      ],
      sortBy: ['Cost', 'Compute hours'],
    }),
    timeseries({
      title: 'Cost a day',
      description: 'What was spent in the day before each moment.',
      ...money,
      width: 12,
      queries: [
        {
          expression: perAccountCurrency(growthIn('1d', accountUsageFamilies.cost)),
          legend: ['account', 'currency'],
        },
      ],
    }),
  ],
};

/** Cost of the twenty dearest projects. */
function mostCost(): string {
  const { periodCost: ofProject } = projectUsageFamilies;
  const metric = joined(ofProject, projectFamilies.info);
  const by = labelList('by', metric, 'account', 'project_id', 'project_name', 'currency');
  return `topk(20, max ${by} (${withProjectName(scoped(ofProject))}))`;
}
