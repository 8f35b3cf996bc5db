import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hours, money } from './look.ts';
import { type BoardPanel, timeseries } from './panel.ts';
import { age, scoped } from './scope.ts';
import type { Query, Stroke } from './series.ts';
import { currencyColumn, table } from './table.ts';
import { inHours, perAccount, perAccountCurrency, perCurrency, sumPerAccount } from './usage-query.ts';

const { periodCost, periodComputeSeconds, periodStartTimestamp, periodEndTimestamp, usageKnownTimestamp } =
  accountUsageFamilies;
const { cost, computeSeconds } = forecastFamilies;
const budgets = budgetUsageFamilies;

const least = 'at least, in 4 of 5';
const most = 'at most, in 4 of 5';
const strokes: Readonly<Record<string, Stroke>> = {
  '^so far': { colour: 'blue' },
  '^expected$': { colour: 'blue', isDashed: true },
  [`^${most}$`]: { colour: 'light-blue', bandDownTo: least },
  [`^${least}$`]: { colour: 'light-blue' },
  '^budget ': { colour: 'red', isDashed: true },
};

/**
 * Cost of the period so far, and the forecast of its end as a band, with the budgets it must stay below.
 *
 * @param since how far it looks back where the board looks back less.
 */
export function costForecastPanel(width: number, since?: string): BoardPanel {
  return timeseries({
    title: 'Cost of the period, and where it will end',
    description:
      'What the billing period cost so far, of all accounts selected, and what it will have cost in the end: within the band in four periods of five. Budgets of the same period are dashed lines.',
    ...money,
    width,
    ...(since && { since }),
    strokes,
    hasShortLegend: true,
    queries: [
      { expression: perCurrency(scoped(periodCost)), legend: 'so far, {{currency}}' },
      ...forecast(bound => perCurrency(scoped(cost, { bound }))),
      { expression: budgetLimits(), legend: 'budget {{budget}}' },
    ],
  });
}

/** The same in compute hours, which need no prices. */
const computeForecastPanel = timeseries({
  title: 'Compute hours of the period, and where they will end',
  description: 'The same in compute hours, which need no prices.',
  ...hours,
  strokes,
  hasShortLegend: true,
  queries: [
    { expression: `sum(${inHours(scoped(periodComputeSeconds))})`, legend: 'so far, hours' },
    ...forecast(bound => `sum(${inHours(scoped(computeSeconds, { bound }))})`),
  ],
});

function forecast(read: (bound: string) => string): readonly Query[] {
  return [
    { expression: read('expected'), legend: 'expected' },
    { expression: read('high80'), legend: most },
    { expression: read('low80'), legend: least },
  ];
}

/** Limits in money of the budgets whose period ends with the billing period: others would be compared with the wrong sum. */
function budgetLimits(): string {
  const on = labelList('on', budgets.limit, 'job', 'instance');
  const end = `max ${labelList('by', periodEndTimestamp, 'job', 'instance')} (${scoped(periodEndTimestamp)})`;
  const sameEnd = `${scoped(budgets.periodEndTimestamp)} == ${on} group_left () ${end}`;
  const limits = `${scoped(budgets.limit, { unit: { not: 'compute_hours' } })}`;
  const onBudget = labelList('on', budgets.limit, 'job', 'instance', 'budget');
  return `max ${labelList('by', budgets.limit, 'budget', 'unit')} (${limits} and ${onBudget} (${sameEnd}))`;
}

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
