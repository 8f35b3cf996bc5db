import { projectFamilies } from '../../src/resources/project.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { groupUsageFamilies } from '../../src/resources/usage/group.ts';
import { projectUsageFamilies } from '../../src/resources/usage/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { projectColumns } from './column.ts';
import { perProject } from './name.ts';
import { timeseries } from './panel.ts';
import { increaseInRange, rate, scoped } from './scope.ts';
import { table } from './table.ts';
import { inHours, perAccountCurrency, perGroup } from './usage-query.ts';

const { periodCost, periodComputeSeconds } = groupUsageFamilies;
const secondsPerDay = 86_400;

const mostUse = `topk(20, ${perProject(inHours(increaseInRange(projectFamilies.cpuUsedSeconds)))})`;

/** Panels on the shares of groups and projects in usage and cost. */
export const usageShareSection: Section = {
  title: 'Who uses it?',
  panels: [
    timeseries({
      title: 'Cost by group',
      description:
        'Cost since the billing period began. The groups of a grouping add up to the cost of the account; what no group matches is in `ungrouped`.',
      unit: 'none',
      decimals: 2,
      width: 12,
      queries: [
        {
          expression: `max ${labelList('by', periodCost, 'account', 'grouping', 'group', 'currency')} (${scoped(periodCost)})`,
          legend: ['account', 'grouping', 'group', 'currency'],
        },
      ],
    }),
    timeseries({
      title: 'Compute hours by group',
      description: 'Compute hours since the billing period began, by the same groups.',
      unit: 'none',
      decimals: 1,
      width: 12,
      queries: [
        {
          expression: perGroup(inHours(scoped(periodComputeSeconds))),
          legend: ['account', 'grouping', 'group'],
        },
      ],
    }),
    table({
      title: 'Projects by use',
      description:
        'The projects that used most within the time range, what they cost since the billing period began (in the currency of the panel above), and what they used in the last day beyond their habit, while that is unusually much.',
      width: 12,
      labels: projectColumns,
      values: [
        { title: 'Compute hours', expression: mostUse, unit: 'none', decimals: 1 },
        {
          title: 'Cost',
          expression: `topk(20, ${perProject(scoped(projectUsageFamilies.periodCost))})`,
          unit: 'none',
          decimals: 2,
        },
        {
          title: 'Unusual hours',
          expression: unusualUse(),
          unit: 'none',
          decimals: 1,
          bands: { base: 'text', above: [[0.01, 'orange']] },
        },
      ],
      sortBy: 'Compute hours',
    }),
    timeseries({
      title: 'Cost a day',
      description: 'What is spent, as fast as it was at each moment, a day.',
      unit: 'none',
      decimals: 2,
      width: 12,
      queries: [
        {
          expression: perAccountCurrency(`${secondsPerDay} * ${rate(accountUsageFamilies.cost)}`),
          legend: ['account', 'currency'],
        },
      ],
    }),
  ],
};

/** Adds 0 for the projects with the most usage and no anomaly. */
function unusualUse(): string {
  const unusual = perProject(inHours(scoped(projectUsageFamilies.unusualComputeSeconds)));
  return `${unusual} or 0 * ${mostUse}`;
}
