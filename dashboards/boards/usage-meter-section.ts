import { accountMeterFamilies } from '../../src/resources/metered.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hours, risingBands } from './look.ts';
import { stat, timeseries } from './panel.ts';
import { age, growthIn } from './scope.ts';
import { inHours, perAccount } from './usage-query.ts';

const { computeUnitSeconds, storageByteMonths, transferBytes, extraBranchMonths, meteredUntilTimestamp } =
  accountMeterFamilies;

const hour = 3600;

/** Panels on what the service meters by itself, which later versions of it tell. */
export const usageMeterSection: Section = {
  title: 'What does the service meter?',
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
      queries: [{ expression: perAccount(inHours(growthIn('1d', computeUnitSeconds))), legend: ['account'] }],
    }),
    timeseries({
      title: 'Metered storage, byte-months a day',
      description:
        'Storage in the day before each moment, by what is stored: a byte that is kept for a month is a byte-month.',
      unit: 'decbytes',
      width: 10,
      stack: true,
      filledBy: 'service metered',
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
      queries: [{ expression: perAccount(growthIn('1d', extraBranchMonths)), legend: ['account'] }],
    }),
  ],
};
