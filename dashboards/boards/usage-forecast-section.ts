import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { timeseries } from './panel.ts';
import { age, scoped } from './scope.ts';
import { table } from './table.ts';
import { inHours, perAccount, perAccountCurrency } from './usage-query.ts';

const { periodCost, periodComputeSeconds, periodStartTimestamp, periodEndTimestamp, usageKnownTimestamp } =
  accountUsageFamilies;
const { cost, computeSeconds, errorRatio, coverageRatio } = forecastFamilies;

/** Panels on the period so far, its forecast, and the quality of such forecasts. */
export const usageForecastSection: Section = {
  title: 'Where will the period end?',
  panels: [
    timeseries({
      title: 'Cost of the period, and where it will end',
      description:
        'The line without a bound is what the period cost so far. It should end at `expected`: within the 80 bounds in four periods of five, within the 95 bounds in nineteen of twenty.',
      unit: 'none',
      decimals: 2,
      width: 12,
      queries: [
        { expression: perAccountCurrency(scoped(periodCost)), legend: ['account', 'currency'] },
        {
          expression: `max ${labelList('by', cost, 'account', 'currency', 'bound')} (${scoped(cost)})`,
          legend: ['account', 'currency', 'bound'],
        },
      ],
    }),
    timeseries({
      title: 'Compute hours of the period, and where they will end',
      description: 'The same in compute hours, which need no prices.',
      unit: 'none',
      decimals: 1,
      width: 12,
      queries: [
        {
          expression: perAccount(inHours(scoped(periodComputeSeconds))),
          legend: ['account'],
        },
        {
          expression: `max ${labelList('by', computeSeconds, 'account', 'bound')} (${inHours(scoped(computeSeconds))})`,
          legend: ['account', 'bound'],
        },
      ],
    }),
    table({
      title: 'Billing periods',
      description:
        'Since when the period of each account runs, when it ends, what was used in it, and how long ago use was last known.',
      width: 8,
      labels: [{ label: 'account', title: 'Account' }],
      values: [
        {
          title: 'Began',
          expression: perAccount(age(periodStartTimestamp)),
          unit: 's',
        },
        {
          title: 'Ends in',
          expression: perAccount(`${scoped(periodEndTimestamp)} - time()`),
          unit: 's',
        },
        {
          title: 'Compute hours',
          expression: perAccount(inHours(scoped(periodComputeSeconds))),
          unit: 'none',
          decimals: 1,
        },
        { title: 'Known', expression: perAccount(age(usageKnownTimestamp)), unit: 's' },
      ],
      sortBy: 'Compute hours',
    }),
    timeseries({
      title: 'Error of the forecasts',
      description:
        'How wrong forecasts of past periods were on average, beside those of a straight line through the period so far (run_rate).',
      unit: 'percentunit',
      width: 8,
      queries: [
        {
          expression: `max ${labelList('by', errorRatio, 'account', 'method')} (${scoped(errorRatio)})`,
          legend: ['account', 'method'],
        },
      ],
    }),
    timeseries({
      title: 'Periods that ended within the 80 % bounds',
      description: 'Near 80 % the bounds are honest; far below, trust them less than they say.',
      unit: 'percentunit',
      width: 8,
      max: 1,
      queries: [{ expression: perAccount(scoped(coverageRatio)), legend: ['account'] }],
    }),
  ],
};
