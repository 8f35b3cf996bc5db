import { accountMeterFamilies } from '../../src/resources/metered.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { groupUsageFamilies } from '../../src/resources/usage/group.ts';
import { projectUsageFamilies, unusualMeterFamilies } from '../../src/resources/usage/project.ts';
import type { Section } from './board.ts';
import { hours, metered, meterPriced, money, risingBands } from './look.ts';
import { perProject } from './name.ts';
import { stat, timeseries } from './panel.ts';
import { age, growthIn, scoped } from './scope.ts';
import { labelValue, seriesBy } from './series.ts';
import { projectColumns, table } from './table.ts';
import { inHours, perLine, sumPerAccount } from './usage-query.ts';

const { computeUnitSeconds, storageByteMonths, transferBytes, extraBranchMonths, meteredUntilTimestamp } =
  accountMeterFamilies;

const { unusualTransferBytes, unusualStorageGrowthBytes, unusualExtraBranches } = unusualMeterFamilies;

const hour = 3600;

/** Panels on what the service meters by itself, which later versions of it tell, and what that costs. */
export const usageMeterSection: Section = {
  title: 'What does the service meter, and what does that cost?',
  isFolded: true,
  panels: [
    stat({
      title: 'Age of the meter',
      description:
        'How long ago the last hour ended that the meter of the service tells of, of the account furthest behind.',
      unit: 's',
      height: 8,
      ...metered,
      expression: `max(${age(meteredUntilTimestamp)})`,
      bands: risingBands(3 * hour, 6 * hour),
    }),
    timeseries({
      title: 'Metered compute hours, a day',
      description: 'Compute-unit hours in the day before each moment, by the meter of the service.',
      ...hours,
      width: 10,
      ...metered,
      queries: [
        { expression: sumPerAccount(inHours(growthIn('1d', computeUnitSeconds))), legend: ['account'] },
      ],
    }),
    timeseries({
      title: 'Metered storage, byte-months a day',
      description:
        'Storage in the day before each moment, by what is stored: a byte that is kept for a month is a byte-month.',
      unit: 'decbytes',
      width: 10,
      stack: true,
      ...metered,
      queries: [seriesBy('sum', storageByteMonths, ['kind'], growthIn('1d', storageByteMonths))],
    }),
    timeseries({
      title: 'Metered transfer, a day',
      description: 'Bytes sent to clients in the day before each moment, by network.',
      unit: 'decbytes',
      stack: true,
      ...metered,
      queries: [seriesBy('sum', transferBytes, ['network'], growthIn('1d', transferBytes))],
    }),
    timeseries({
      title: 'Metered extra branches, branch-months a day',
      description: 'Branches beyond those of their plans in the day before each moment.',
      decimals: 2,
      ...metered,
      queries: [{ expression: sumPerAccount(growthIn('1d', extraBranchMonths)), legend: ['account'] }],
    }),
    timeseries({
      title: 'Cost by line of the bill',
      description:
        'Cost since the billing period began, by the line of the bill: compute, storage, transfer, branches, and each kind of charge. They add up to the cost of the accounts.',
      ...money,
      stack: true,
      ...meterPriced,
      queries: [{ expression: perLine(accountUsageFamilies.periodLineCost), legend: ['line', 'currency'] }],
    }),
    timeseries({
      title: 'Cost by group and line of the bill',
      description:
        'Cost since the billing period began, by group, and what of it is for which line of the bill.',
      ...money,
      stack: true,
      filledBy: 'meter priced',
      noValue: 'no groups or no metered prices',
      queries: [
        {
          expression: perLine(groupUsageFamilies.periodLineCost, 'group'),
          legend: ['group', 'line', 'currency'],
        },
      ],
      strokes: {
        ' base_fee ': { name: `${labelValue('group')} · base fee · ${labelValue('currency')}` },
      },
    }),
  ],
};

/** Projects that used or were metered far more than they usually are. */
export const usageUnusualSection: Section = {
  title: 'What is unusual?',
  isFolded: true,
  panels: [
    table({
      title: 'Projects with unusual use',
      description:
        'By how much projects were beyond their habit: compute hours in the last day, and transfer, growth of storage and extra branches in the day of UTC that is under way or the one before. None is as it should be.',
      width: 24,
      height: 8,
      filledBy: 'metered unusually',
      labels: projectColumns,
      values: [
        { title: 'Compute hours', expression: unusualHours(), ...hours },
        { title: 'Transfer', expression: perProject(scoped(unusualTransferBytes)), unit: 'decbytes' },
        {
          title: 'Storage growth',
          expression: perProject(scoped(unusualStorageGrowthBytes)),
          unit: 'decbytes',
        },
        {
          title: 'Extra branches',
          expression: perProject(scoped(unusualExtraBranches)),
        },
      ],
      sortBy: ['Compute hours', 'Transfer', 'Storage growth', 'Extra branches'],
    }),
  ],
};

/** 0 for projects whose meter alone is unusual. */
function unusualHours(): string {
  const unusual = perProject(inHours(scoped(projectUsageFamilies.unusualComputeSeconds)));
  return `${unusual} or 0 * ${perProject(scoped(unusualTransferBytes))}`;
}
