import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import { labelList } from '../promql.ts';
import { hours, money } from './look.ts';
import { type BoardPanel, timeseries } from './panel.ts';
import { scoped } from './scope.ts';
import type { Query, Stroke } from './series.ts';
import { inHours, perCurrency } from './usage-query.ts';

const { periodCost, periodComputeSeconds, periodEndTimestamp } = accountUsageFamilies;
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

/** Cost of the period so far, and the forecast of its end as a band, with the budgets it must stay below. */
export function costForecastPanel(width: number): BoardPanel {
  return timeseries({
    title: 'Cost of the period, and where it will end',
    description:
      'What the billing period cost so far, of all accounts selected, and what it will have cost in the end: within the band in four periods of five. Budgets of the same period are dashed lines.',
    ...money,
    width,
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
export const computeForecastPanel = timeseries({
  title: 'Compute hours of the period, and where they will end',
  description: 'The same in compute hours, which need no prices.',
  ...hours,
  width: 12,
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
