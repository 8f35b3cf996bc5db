import { projectFamilies } from '../../src/resources/project.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import { projectUsageFamilies } from '../../src/resources/usage/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hours, money } from './look.ts';
import { headline } from './panel.ts';
import { increaseInRange, scoped } from './scope.ts';
import { findingPanel } from './usage-finding-panel.ts';
import { inHours, perCurrency, perLine } from './usage-query.ts';

const { periodCost, periodLineCost } = projectUsageFamilies;
const { cpuUsedSeconds, cpuUsedReportedSeconds } = projectFamilies;

/** Panels on the project's cost, where it will end, and what could be saved. */
export const projectCostSection: Section = {
  title: 'What does it cost?',
  panels: [
    headline({
      title: 'This billing period',
      description:
        'What the project cost since the billing period began, and what it will have cost at its end if its use grows as that of its account is expected to; the compute hours the service counts in its own period.',
      ...hours,
      decimals: 2,
      width: 18,
      noValue: 'no price book',
      queries: [
        { expression: perCurrency(scoped(periodCost)), legend: 'so far, {{currency}}' },
        { expression: perCurrency(expectedCost()), legend: 'expected, {{currency}}' },
        { expression: `sum(${inHours(scoped(cpuUsedReportedSeconds))})`, legend: 'compute hours' },
      ],
    }),
    headline({
      title: 'Compute used',
      description: 'Compute hours within the time range.',
      ...hours,
      width: 6,
      queries: [{ expression: `sum(${inHours(increaseInRange(cpuUsedSeconds))})`, legend: 'hours' }],
    }),
    headline({
      title: 'By line of the bill',
      description:
        'What of the cost of this billing period is for compute, storage, transfer and branches: of the project, and of its whole account with the charges.',
      ...money,
      width: 24,
      noValue: 'no metered prices',
      filledBy: 'meter priced',
      queries: [
        { expression: perLine(periodLineCost), legend: '{{line}}, project, {{currency}}' },
        {
          expression: perLine(accountUsageFamilies.periodLineCost),
          legend: '{{line}}, account, {{currency}}',
        },
      ],
    }),
    findingPanel({ width: 24, height: 6, hidden: ['account', 'project_name'] }),
  ],
};

/** Of the account the use is forecast; a project is taken to keep its part of it. */
function expectedCost(): string {
  const used = scoped(accountUsageFamilies.periodComputeSeconds);
  const expected = scoped(forecastFamilies.computeSeconds, { bound: 'expected' });
  const growth = `${expected} / ${labelList('ignoring', forecastFamilies.computeSeconds, 'bound')} (${used} > 0)`;
  const onAccount = labelList('on', periodCost, 'job', 'instance', 'account');
  return `${scoped(periodCost)} * ${onAccount} group_left () (${growth})`;
}
