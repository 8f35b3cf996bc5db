import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { accountFindingFamilies } from '../../src/resources/usage/finding.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import { hours, money, zeroIsGood } from './look.ts';
import { type BoardPanel, headline } from './panel.ts';
import { scoped } from './scope.ts';
import { inHours, perCurrency, sumPerBudget } from './usage-query.ts';

const { periodCost, periodComputeSeconds } = accountUsageFamilies;

/** Headlines: money so far, in the end and to be saved, with the compute behind it. */
export const usageHeadlines: readonly BoardPanel[] = [
  headline({
    title: 'Cost so far',
    description: 'Cost since the billing period began, of all accounts selected.',
    ...money,
    width: 5,
    queries: [{ expression: perCurrency(scoped(periodCost)), legend: ['currency'] }],
    noValue: 'no price book',
  }),
  headline({
    title: 'Expected at the end',
    description: 'What the whole billing period is expected to cost, of all accounts selected.',
    ...money,
    width: 5,
    queries: [
      {
        expression: perCurrency(scoped(forecastFamilies.cost, { bound: 'expected' })),
        legend: ['currency'],
      },
    ],
    noValue: 'not yet known',
  }),
  headline({
    title: 'Could be saved a month',
    description:
      'Money that following all findings would save in 30 days at the price of now, likely and at most.',
    ...money,
    width: 6,
    queries: [
      {
        expression: perCurrency(scoped(accountFindingFamilies.costPerMonth)),
        legend: 'likely, {{currency}}',
      },
      {
        expression: perCurrency(scoped(accountFindingFamilies.costBound, { bound: 'at_most' })),
        legend: 'at most, {{currency}}',
      },
    ],
    noValue: 'no price book',
  }),
  headline({
    title: 'Compute so far',
    description: 'Compute hours used since the billing period began, priced or not.',
    ...hours,
    queries: [{ expression: `sum(${inHours(scoped(periodComputeSeconds))})`, legend: 'hours' }],
  }),
  headline({
    title: 'Budgets that will not do',
    description: 'Budgets that will be overspent, as it looks now.',
    queries: [
      {
        expression: `count(${sumPerBudget(scoped(budgetUsageFamilies.projectedRatio))} > 1) or vector(0)`,
        legend: 'budgets',
      },
    ],
    bands: zeroIsGood,
  }),
];
