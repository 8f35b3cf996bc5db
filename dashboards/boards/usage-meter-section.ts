import { accountMeterFamilies } from '../../src/resources/metered.ts';
import { unusualMeterFamilies } from '../../src/resources/usage/project.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { projectColumns } from './column.ts';
import { hours, risingBands } from './look.ts';
import { perProject } from './name.ts';
import { stat, timeseries } from './panel.ts';
import { age, growthIn, scoped } from './scope.ts';
import { table } from './table.ts';
import { inHours, sumPerAccount } from './usage-query.ts';

const { computeUnitSeconds, storageByteMonths, transferBytes, extraBranchMonths, meteredUntilTimestamp } =
  accountMeterFamilies;

const { unusualTransferBytes, unusualStorageGrowthBytes, unusualExtraBranches } = unusualMeterFamilies;

const hour = 3600;

/** Panels on what the service meters by itself, which later versions of it tell: closed, as others have nothing to show. */
export const usageMeterSection: Section = {
  title: 'What does the service meter?',
  isFolded: true,
  panels: [
    stat({
      title: 'Age of the meter',
      description:
        'How long ago the last hour ended that the meter of the service tells of, of the account furthest behind.',
      unit: 's',
      width: 4,
      height: 8,
      filledBy: 'service metered',
      noValue: 'no meter',
      expression: `max(${age(meteredUntilTimestamp)})`,
      bands: risingBands(3 * hour, 6 * hour),
    }),
    timeseries({
      title: 'Metered compute hours, a day',
      description: 'Compute-unit hours in the day before each moment, by the meter of the service.',
      ...hours,
      width: 10,
      filledBy: 'service metered',
      noValue: 'no meter',
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
      filledBy: 'service metered',
      noValue: 'no meter',
      queries: [
        {
          expression: `sum ${labelList('by', storageByteMonths, 'kind')} (${growthIn('1d', storageByteMonths)})`,
          legend: ['kind'],
        },
      ],
    }),
    timeseries({
      title: 'Metered transfer, a day',
      description: 'Bytes sent to clients in the day before each moment, by network.',
      unit: 'decbytes',
      width: 12,
      stack: true,
      filledBy: 'service metered',
      noValue: 'no meter',
      queries: [
        {
          expression: `sum ${labelList('by', transferBytes, 'network')} (${growthIn('1d', transferBytes)})`,
          legend: ['network'],
        },
      ],
    }),
    timeseries({
      title: 'Metered extra branches, branch-months a day',
      description: 'Branches beyond those of their plans in the day before each moment.',
      unit: 'none',
      decimals: 2,
      width: 12,
      filledBy: 'service metered',
      noValue: 'no meter',
      queries: [{ expression: sumPerAccount(growthIn('1d', extraBranchMonths)), legend: ['account'] }],
    }),
    table({
      title: 'Projects that are metered unusually',
      description:
        'Projects that transferred far more than they do on such a day, whose storage grew by far more than it does, or that had far more extra branches: by how much, in the day of UTC that is under way or the one before. None is as it should be.',
      width: 24,
      height: 6,
      filledBy: 'metered unusually',
      noValue: 'none, or no meter',
      labels: projectColumns,
      values: [
        { title: 'Transfer', expression: perProject(scoped(unusualTransferBytes)), unit: 'decbytes' },
        {
          title: 'Storage growth',
          expression: perProject(scoped(unusualStorageGrowthBytes)),
          unit: 'decbytes',
        },
        {
          title: 'Extra branches',
          expression: perProject(scoped(unusualExtraBranches)),
          unit: 'none',
        },
      ],
      sortBy: ['Transfer', 'Storage growth', 'Extra branches'],
    }),
  ],
};
