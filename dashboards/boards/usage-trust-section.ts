import { accountFamilies } from '../../src/resources/account.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { forecastFamilies } from '../../src/resources/usage/forecast.ts';
import {
  accountLedgerFamilies,
  projectAwakeFamilies,
  projectLedgerFamilies,
  reconstructionFamilies,
} from '../../src/resources/usage/ledger-drift.ts';
import { labelList, type Metric } from '../promql.ts';
import type { Section } from './board.ts';
import { hours } from './look.ts';
import { timeseries } from './panel.ts';
import { scoped } from './scope.ts';
import { labelValue } from './series.ts';
import { sumOverShards } from './shard-sum.ts';
import { table, type ValueColumn } from './table.ts';
import { inHours, perAccount, sumPerAccount } from './usage-query.ts';

const { importProjectsLeft } = accountFamilies;
const { ledgerComputeSeconds, ledgerDriftProjects } = accountLedgerFamilies;
const { ledgerDriftComputeSeconds } = projectLedgerFamilies;
const { ledgerDriftAwakeSeconds } = projectAwakeFamilies;
const { periodUnpricedComputeSeconds, unattributedComputeSeconds } = accountUsageFamilies;
const { reportedComputeSeconds, reconstructedComputeSeconds } = reconstructionFamilies;
const { errorRatio, coverageRatio } = forecastFamilies;

/** Panels on the use that is in no cost, and on how far the figures can be trusted. */
export const usageTrustSection: Section = {
  title: 'Can the numbers be trusted?',
  panels: [
    table({
      title: 'Accounts',
      description:
        'Projects whose operations are not read to their beginning yet: until they are, an account has no cost. Compute hours that no figure has, as nothing tells when they were used, and those of the billing period without a price: 0 is as it should be. Hours of the last known day by the counters of the service, which should lie within what endpoints can have used at least and at most. How far forecasts of past periods were off, beside a straight line, and how many of these ended within the bounds of 80%.',
      width: 20,
      height: 6,
      labels: [{ label: 'account', title: 'Account' }],
      values: [
        { title: 'To import', expression: sumPerAccount(scoped(importProjectsLeft)) },
        { title: 'Hours left out', expression: inHoursPerAccount(unattributedComputeSeconds), ...hours },
        {
          title: 'Without a price',
          expression: inHoursPerAccount(periodUnpricedComputeSeconds),
          ...hours,
          noValue: 'no price book',
        },
        { title: 'Reported', expression: inHoursPerAccount(reportedComputeSeconds), ...hours },
        {
          title: 'At least',
          expression: sumPerAccount(inHours(scoped(reconstructedComputeSeconds, { bound: 'lower' }))),
          ...hours,
        },
        {
          title: 'At most',
          expression: sumPerAccount(inHours(scoped(reconstructedComputeSeconds, { bound: 'upper' }))),
          ...hours,
        },
        forecastColumn('Forecast off', scoped(errorRatio, { method: 'forecast' })),
        forecastColumn('Straight line', scoped(errorRatio, { method: 'run_rate' })),
        forecastColumn('Within 80%', scoped(coverageRatio)),
      ],
      sortBy: ['Without a price', 'Hours left out', 'To import'],
    }),
  ],
};

function forecastColumn(title: string, expression: string): ValueColumn {
  const noValue = 'not yet known';
  return { title, expression: perAccount(expression), unit: 'percentunit', decimals: 1, noValue };
}

function inHoursPerAccount(metric: Metric<'account'>): string {
  return sumPerAccount(inHours(scoped(metric)));
}

/** Panels on the two ledgers of use: empty while they agree. */
export const usageLedgerSection: Section = {
  title: 'Do the ledgers agree?',
  isFolded: true,
  panels: [
    timeseries({
      title: 'Compute hours metered, and reported',
      description:
        'Compute hours of the last day that the meter of the service and its counters both tell. They are as one as it should be.',
      ...hours,
      filledBy: 'ledgers apart',
      queries: [
        {
          expression: sumOverShards(
            inHours(scoped(ledgerComputeSeconds)),
            ledgerComputeSeconds,
            'account',
            'ledger',
          ),
          legend: ['account', 'ledger'],
        },
      ],
    }),
    timeseries({
      title: 'Projects whose ledgers disagree',
      description:
        'Projects whose meter and counters are more than a tenth and a compute hour apart, or whose awake time as the service tells it and as endpoints showed it: by which is likely wrong, and by how many hours each is. Nothing is as it should be.',
      ...hours,
      filledBy: 'ledgers apart',
      queries: [
        {
          expression: sumOverShards(
            scoped(ledgerDriftProjects),
            ledgerDriftProjects,
            'account',
            'likely_wrong',
          ),
          legend: '{{account}}, {{likely_wrong}}: projects',
        },
        {
          expression: `max ${labelList('by', ledgerDriftComputeSeconds, 'project_id')} (${inHours(scoped(ledgerDriftComputeSeconds))})`,
          legend: '{{project_id}}: hours',
        },
        {
          expression: `max ${labelList('by', ledgerDriftAwakeSeconds, 'project_id')} (${inHours(scoped(ledgerDriftAwakeSeconds))})`,
          legend: '{{project_id}}: hours awake',
        },
      ],
      strokes: {
        ', active_time: projects$': { name: `${labelValue('account')}, active time: projects` },
      },
    }),
  ],
};
