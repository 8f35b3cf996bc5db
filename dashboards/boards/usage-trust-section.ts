import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { reconstructionFamilies } from '../../src/resources/usage/reconstruction.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { timeseries } from './panel.ts';
import { rate, scoped } from './scope.ts';
import { inHours, perAccount } from './usage-query.ts';

const { periodUnpricedComputeSeconds, unpricedComputeSeconds } = accountUsageFamilies;
const { driftRatio, reportedComputeSeconds, reconstructedComputeSeconds } = reconstructionFamilies;
const hoursPerDay = 24;

/** Panels on what is missing from the costs, and whether the usage behind them is understood. */
export const usageTrustSection: Section = {
  title: 'Can the numbers be trusted?',
  panels: [
    timeseries({
      title: 'Compute hours without a price',
      description:
        'Use of the billing period that no price or no exchange rate applies to: it is in no cost. Nothing is as it should be.',
      unit: 'none',
      decimals: 1,
      width: 12,
      queries: [
        {
          expression: perAccount(inHours(scoped(periodUnpricedComputeSeconds))),
          legend: ['account'],
        },
      ],
    }),
    timeseries({
      title: 'Compute hours without a price, a day',
      description: 'How fast more of it comes.',
      unit: 'none',
      decimals: 1,
      width: 12,
      queries: [
        {
          expression: perAccount(`${hoursPerDay} * ${rate(unpricedComputeSeconds)}`),
          legend: ['account'],
        },
      ],
    }),
    timeseries({
      title: 'Reported use over what is possible',
      description:
        'Use by the counters of the service over the nearest bound of what endpoints can have used in the same day. 1 is as it should be; above it something is billed that nobody saw awake, below it something awake is not counted.',
      unit: 'none',
      decimals: 2,
      width: 12,
      queries: [{ expression: perAccount(scoped(driftRatio)), legend: ['account'] }],
    }),
    timeseries({
      title: 'Compute hours reported, and what is possible',
      description:
        'Compute hours of the last day that is known of all endpoints: by the counters, and the least and the most they can have used by when they were awake.',
      unit: 'none',
      decimals: 1,
      width: 12,
      queries: [
        {
          expression: perAccount(inHours(scoped(reportedComputeSeconds))),
          legend: ['account'],
        },
        {
          expression: `max ${labelList('by', reconstructedComputeSeconds, 'account', 'bound')} (${inHours(scoped(reconstructedComputeSeconds))})`,
          legend: ['account', 'bound'],
        },
      ],
    }),
  ],
};
