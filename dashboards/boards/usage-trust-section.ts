import { accountFamilies } from '../../src/resources/account.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import {
  accountLedgerFamilies,
  projectAwakeFamilies,
  projectLedgerFamilies,
} from '../../src/resources/usage/ledger-drift.ts';
import { reconstructionFamilies } from '../../src/resources/usage/reconstruction.ts';
import { labelList } from '../promql.ts';
import type { Section } from './board.ts';
import { hours } from './look.ts';
import { timeseries } from './panel.ts';
import { growthIn, scoped } from './scope.ts';
import { sumOverShards } from './shard-sum.ts';
import { inHours, perAccount, sumPerAccount } from './usage-query.ts';

const { importProjectsLeft } = accountFamilies;
const { ledgerComputeSeconds, ledgerDriftProjects } = accountLedgerFamilies;
const { ledgerDriftComputeSeconds } = projectLedgerFamilies;
const { ledgerDriftAwakeSeconds } = projectAwakeFamilies;
const { periodUnpricedComputeSeconds, unplacedComputeSeconds, unpricedComputeSeconds } = accountUsageFamilies;
const { driftRatio, reportedComputeSeconds, reconstructedComputeSeconds } = reconstructionFamilies;

/** Panels on what is missing from the costs, and whether the usage behind them is understood. */
export const usageTrustSection: Section = {
  title: 'Can the numbers be trusted?',
  panels: [
    timeseries({
      title: 'Projects still to be imported',
      description:
        'Projects whose operations are not read to their beginning yet. During the first import an account has no figures of use and cost: they appear when it is done. Nothing is as it should be.',
      unit: 'none',
      width: 8,
      queries: [{ expression: sumPerAccount(scoped(importProjectsLeft)), legend: ['account'] }],
    }),
    timeseries({
      title: 'Compute hours left out',
      description:
        'Compute hours that projects had used when they were first read and that are in no figure, as nothing tells yet when that was. Nothing is as it should be.',
      ...hours,
      width: 12,
      queries: [{ expression: sumPerAccount(inHours(scoped(unplacedComputeSeconds))), legend: ['account'] }],
    }),
    timeseries({
      title: 'Compute hours without a price',
      description:
        'Use of the billing period that no price or no exchange rate applies to: it is in no cost. Nothing is as it should be.',
      ...hours,
      width: 12,
      queries: [
        {
          expression: sumPerAccount(inHours(scoped(periodUnpricedComputeSeconds))),
          legend: ['account'],
        },
      ],
    }),
    timeseries({
      title: 'Compute hours without a price, a day',
      description: 'How much of it came in the day before each moment.',
      ...hours,
      width: 12,
      queries: [
        {
          expression: sumPerAccount(inHours(growthIn('1d', unpricedComputeSeconds))),
          legend: ['account'],
        },
      ],
    }),
    timeseries({
      title: 'Compute hours metered, and reported',
      description:
        'Compute hours of the last day that the meter of the service and its counters both tell. They are as one as it should be.',
      ...hours,
      width: 12,
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
      width: 12,
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
      ...hours,
      width: 12,
      queries: [
        {
          expression: sumPerAccount(inHours(scoped(reportedComputeSeconds))),
          legend: ['account'],
        },
        {
          expression: sumOverShards(
            inHours(scoped(reconstructedComputeSeconds)),
            reconstructedComputeSeconds,
            'account',
            'bound',
          ),
          legend: ['account', 'bound'],
        },
      ],
    }),
  ],
};
