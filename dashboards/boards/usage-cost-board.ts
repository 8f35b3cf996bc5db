import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { accountFindingFamilies } from '../../src/resources/usage/finding.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import type { Board } from './board.ts';
import { risingBands, zeroIsGood } from './look.ts';
import { stat } from './panel.ts';
import { age, scoped } from './scope.ts';
import { usageBudgetSection } from './usage-budget-section.ts';
import { usageFindingSection } from './usage-finding-section.ts';
import { usageForecastSection } from './usage-forecast-section.ts';
import { inHours, perCurrency } from './usage-query.ts';
import { usageShareSection } from './usage-share-section.ts';
import { usageTrustSection } from './usage-trust-section.ts';

const { periodCost, periodComputeSeconds, usageKnownTimestamp } = accountUsageFamilies;
const { cost } = forecastFamilies;
const { costPerMonth } = accountFindingFamilies;
const { projectedRatio } = budgetUsageFamilies;

const nowPanels = [
  stat({
    title: 'Cost so far',
    description: 'Cost since the billing period began, of all accounts selected.',
    unit: 'none',
    decimals: 2,
    width: 4,
    expression: perCurrency(scoped(periodCost)),
    legend: ['currency'],
    noValue: 'no price book',
  }),
  stat({
    title: 'Expected at the end of the period',
    description: 'What the whole billing period is expected to cost; its bounds are below.',
    unit: 'none',
    decimals: 2,
    width: 4,
    expression: perCurrency(scoped(cost, { bound: 'expected' })),
    legend: ['currency'],
    noValue: 'not yet known',
  }),
  stat({
    title: 'Compute hours so far',
    description: 'Compute hours used since the billing period began, priced or not.',
    unit: 'none',
    decimals: 1,
    width: 4,
    expression: `sum(${inHours(scoped(periodComputeSeconds))})`,
  }),
  stat({
    title: 'Budgets that will not do',
    description: 'Budgets of which more will be spent than they allow, as it looks now.',
    unit: 'none',
    width: 4,
    expression: `count(${scoped(projectedRatio)} > 1) or vector(0)`,
    bands: zeroIsGood,
  }),
  stat({
    title: 'Could be saved a month',
    description: 'Money that following all findings would save in 30 days at the price of now.',
    unit: 'none',
    decimals: 2,
    width: 4,
    expression: perCurrency(scoped(costPerMonth)),
    legend: ['currency'],
    noValue: 'no price book',
  }),
  stat({
    title: 'Age of the data',
    description: 'Until how long ago use is known, of the account furthest behind.',
    unit: 's',
    width: 4,
    expression: `max(${age(usageKnownTimestamp)})`,
    bands: risingBands(3600, 7200),
  }),
];

export const usageCostBoard: Board = {
  uid: 'dbpm-usage-cost',
  title: 'DBPM / Usage and cost',
  question: [
    '**What did it cost, where will the period end, and what could be saved?** Money is in the display currency of the price book; without a price book the board shows compute hours.',
    '',
    'Cost and budgets are of the billing period; groups and projects say whose it is, findings what to change. What has no price is in no cost: see *Can the numbers be trusted?*',
  ].join('\n'),
  since: '7d',
  projects: 'many',
  sections: [
    { title: 'At a glance', panels: nowPanels },
    usageForecastSection,
    usageBudgetSection,
    usageShareSection,
    usageFindingSection,
    usageTrustSection,
  ],
};
