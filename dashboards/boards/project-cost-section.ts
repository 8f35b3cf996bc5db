import { accountMeterFamilies, projectMeterFamilies } from '../../src/resources/metered.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import { projectUsageFamilies } from '../../src/resources/usage/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hours, metered, meterPriced, money, roundMoney } from './look.ts';
import { headline } from './panel.ts';
import { increaseInRange, scoped } from './scope.ts';
import { findingPanel } from './usage-finding-panel.ts';
import { inHours, perCurrency, perLine } from './usage-query.ts';

/** Panels on what the service meters of the project, and its cost, beside the whole account. */
export const projectMeterSection: Section = {
  title: 'What does the service meter, and what does that cost?',
  isFolded: true,
  panels: [
    headline({
      title: 'By line of the bill',
      description:
        'What of the cost of this billing period is for compute, storage, transfer and branches: of the project, and of its whole account with the charges.',
      ...money,
      width: 24,
      ...meterPriced,
      queries: [
        {
          expression: perLine(projectUsageFamilies.periodLineCost),
          legend: '{{line}}, project, {{currency}}',
        },
        {
          expression: perLine(accountUsageFamilies.periodLineCost),
          legend: '{{line}}, account, {{currency}}',
        },
      ],
    }),
    headline({
      title: 'Metered compute hours',
      description: 'Compute-unit hours within the time range, by the meter of the service.',
      ...hours,
      decimals: 2,
      width: 8,
      ...metered,
      queries: [
        { expression: sumInHours(projectMeterFamilies.computeUnitSeconds), legend: 'project' },
        { expression: sumInHours(accountMeterFamilies.computeUnitSeconds), legend: 'account' },
      ],
    }),
    headline({
      title: 'Metered storage and transfer',
      description:
        'Byte-months of storage by what is stored, and bytes sent to clients by network, within the time range, by the meter of the service.',
      unit: 'decbytes',
      width: 12,
      ...metered,
      queries: [
        { expression: byLabel(projectMeterFamilies.storageByteMonths, 'kind'), legend: '{{kind}}, project' },
        {
          expression: byLabel(projectMeterFamilies.transferBytes, 'network'),
          legend: '{{network}}, project',
        },
        {
          expression: byLabel(accountMeterFamilies.transferBytes, 'network'),
          legend: '{{network}}, account',
        },
      ],
    }),
    headline({
      title: 'Metered extra branches',
      description:
        'Branch-months beyond those of the plan within the time range, by the meter of the service.',
      decimals: 2,
      ...metered,
      queries: [
        { expression: sumOf(projectMeterFamilies.extraBranchMonths), legend: 'project' },
        { expression: sumOf(accountMeterFamilies.extraBranchMonths), legend: 'account' },
      ],
    }),
  ],
};

type Counter = Parameters<typeof increaseInRange>[0];

function sumOf(counter: Counter): string {
  return `sum(${increaseInRange(counter)})`;
}

function sumInHours(counter: Counter): string {
  return `sum(${inHours(increaseInRange(counter))})`;
}

function byLabel<Label extends string>(
  counter: Parameters<typeof increaseInRange<Label>>[0],
  label: NoInfer<Label>,
): string {
  return `sum ${labelList('by', counter, label)} (${increaseInRange(counter)})`;
}

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
