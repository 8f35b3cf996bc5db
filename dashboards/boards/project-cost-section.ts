import { projectFamilies } from '../../src/resources/project.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import { projectUsageFamilies } from '../../src/resources/usage/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hours, roundMoney } from './look.ts';
import { headline } from './panel.ts';
import { increaseInRange, scoped } from './scope.ts';
import { findingPanel } from './usage-finding-panel.ts';
import { inHours, perCurrency } from './usage-query.ts';

const { periodCost } = projectUsageFamilies;
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
        { expression: roundMoney(perCurrency(scoped(periodCost))), legend: 'so far, {{currency}}' },
        { expression: roundMoney(perCurrency(expectedCost())), legend: 'expected, {{currency}}' },
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
    findingPanel({ width: 24, height: 6, isOfProject: true }),
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
