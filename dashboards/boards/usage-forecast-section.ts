import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import type { Section } from './board.ts';
import { currencyColumn } from './column.ts';
import { hours, money } from './look.ts';
import { age, scoped } from './scope.ts';
import { table } from './table.ts';
import { computeForecastPanel, costForecastPanel } from './usage-forecast-panel.ts';
import { inHours, perAccount, perAccountCurrency, sumPerAccount } from './usage-query.ts';

const { periodCost, periodComputeSeconds, periodStartTimestamp, periodEndTimestamp, usageKnownTimestamp } =
  accountUsageFamilies;
const { cost, computeSeconds } = forecastFamilies;

const boundTitles = { low95: 'At least', expected: 'Expected', high95: 'At most' } as const;

/** Panels on the period so far, and its forecast. */
export const usageForecastSection: Section = {
  title: 'Where will the period end?',
  panels: [
    costForecastPanel(12),
    computeForecastPanel,
    table({
      title: 'Billing periods',
      description:
        'What each account cost and used in its billing period so far, and will in the end, with the bounds of nineteen periods in twenty; since when the period runs, when it ends, and how long ago use was last known.',
      width: 24,
      height: 6,
      labels: [{ label: 'account', title: 'Account' }, currencyColumn],
      values: [
        {
          title: 'Cost so far',
          expression: perAccountCurrency(scoped(periodCost)),
          ...money,
          noValue: 'no price',
        },
        ...(['low95', 'expected', 'high95'] as const).map(bound => ({
          title: boundTitles[bound],
          expression: perAccountCurrency(scoped(cost, { bound })),
          ...money,
          noValue: 'not yet known',
        })),
        {
          title: 'Compute hours',
          expression: sumPerAccount(inHours(scoped(periodComputeSeconds))),
          ...hours,
        },
        {
          title: 'Expected hours',
          expression: sumPerAccount(inHours(scoped(computeSeconds, { bound: 'expected' }))),
          ...hours,
          noValue: 'not yet known',
        },
        { title: 'Began', expression: perAccount(age(periodStartTimestamp)), unit: 's' },
        {
          title: 'Ends in',
          expression: perAccount(`${scoped(periodEndTimestamp)} - time()`),
          unit: 's',
        },
        { title: 'Known', expression: perAccount(age(usageKnownTimestamp)), unit: 's' },
      ],
      sortBy: ['Cost so far', 'Compute hours'],
    }),
  ],
};
