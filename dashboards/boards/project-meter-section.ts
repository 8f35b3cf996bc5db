import { accountMeterFamilies, projectMeterFamilies } from '../../src/resources/metered.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { projectUsageFamilies } from '../../src/resources/usage/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hours, money } from './look.ts';
import { headline } from './panel.ts';
import { increaseInRange } from './scope.ts';
import { inHours, perLine } from './usage-query.ts';

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
      noValue: 'no metered prices',
      filledBy: 'meter priced',
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
      noValue: 'no meter',
      filledBy: 'service metered',
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
      noValue: 'no meter',
      filledBy: 'service metered',
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
      unit: 'none',
      decimals: 2,
      width: 4,
      noValue: 'no meter',
      filledBy: 'service metered',
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
