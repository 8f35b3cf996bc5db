import { projectFamilies } from '../../src/resources/project.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { groupUsageFamilies } from '../../src/resources/usage/group.ts';
import { projectUsageFamilies } from '../../src/resources/usage/project.ts';
import type { Board, Section } from './board.ts';
import { hours, money } from './look.ts';
import { perProject } from './name.ts';
import { agePanel, timeseries } from './panel.ts';
import { age, growthIn, scoped } from './scope.ts';
import { currencyColumn, narrowProjectColumns, table } from './table.ts';
import { usageBudgetSection } from './usage-budget-section.ts';
import { usageDoneSection, usageFindingSection } from './usage-finding-section.ts';
import { usageForecastSection } from './usage-forecast-section.ts';
import { usageHeadlines } from './usage-headline.ts';
import { usageMeterSection, usageUnusualSection } from './usage-meter-section.ts';
import { inHours, perAccountCurrency, perGroup } from './usage-query.ts';
import { usageLedgerSection, usageTrustSection } from './usage-trust-section.ts';

const { periodCost, periodComputeSeconds } = groupUsageFamilies;

/** Panels on the shares of groups and projects in usage and cost. */
const usageShareSection: Section = {
  title: 'Who uses it?',
  panels: [
    timeseries({
      title: 'Cost by group',
      description:
        'Cost since the billing period began, by the groups of the grouping chosen above: they add up to the cost of the accounts; what no group matches is in `ungrouped`.',
      ...money,
      stack: true,
      noValue: 'no groups or no price book',
      queries: [{ expression: perGroup(scoped(periodCost), 'currency'), legend: ['group', 'currency'] }],
    }),
    timeseries({
      title: 'Compute hours by group',
      description: 'Compute hours since the billing period began, by the same groups.',
      ...hours,
      stack: true,
      noValue: 'no groups',
      queries: [{ expression: perGroup(inHours(scoped(periodComputeSeconds))), legend: ['group'] }],
    }),
    table({
      title: 'Projects by use',
      description:
        'The projects that cost or used most since the billing period began. Compute hours are those that the service counts, in its own billing period. A name leads to the project.',
      labels: [...narrowProjectColumns, currencyColumn],
      values: [
        {
          title: 'Cost',
          expression: `topk(20, ${perProject(scoped(projectUsageFamilies.periodCost), 'currency')})`,
          ...money,
          noValue: 'no price',
        },
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
      queries: [
        {
          expression: perAccountCurrency(growthIn('1d', accountUsageFamilies.cost)),
          legend: ['account', 'currency'],
        },
      ],
    }),
  ],
};

const usageAgePanel = agePanel({
  description: 'Until how long ago use is known, of the account furthest behind.',
  height: 6,
  expression: `max(${age(accountUsageFamilies.usageKnownTimestamp)})`,
});

export const usageCostBoard: Board = {
  uid: 'dbpm-usage-cost',
  title: 'DBPM / Usage and cost',
  question: [
    '**What did it cost, where will the period end, and what could be saved?** Money is in the display currency of the price book; without a price book the board shows compute hours.',
    '',
    'Cost and budgets are of the billing period; groups and projects say whose it is, findings what to change. What has no price is in no cost: see *Can the numbers be trusted?*',
  ].join('\n'),
  since: '7d',
  projects: 'many',
  sections: [
    { title: 'What does it cost?', panels: usageHeadlines },
    usageForecastSection,
    usageBudgetSection,
    usageShareSection,
    usageFindingSection,
    { ...usageTrustSection, panels: [usageAgePanel, ...usageTrustSection.panels] },
    usageDoneSection,
    usageMeterSection,
    usageUnusualSection,
    usageLedgerSection,
  ],
};
