import { accountLedgerFamilies } from '../../src/resources/usage/ledger-drift.ts';
import { select } from '../promql.ts';
import { defineAlert } from './alert.ts';
import { account } from './example.ts';
import { shardRules } from './shard-rule.ts';

const { ledgerDriftProjects } = accountLedgerFamilies;

const wrongly = { ...account, likely_wrong: 'reported' } as const;

/** Whether what the service meters is what it reports, and endpoints were awake for as long as it says. */
export const ledgerAlerts = [
  defineAlert({
    name: 'DbpmLedgersDisagree',
    severity: 'warning',
    for: '3h',
    thresholds: {
      least: { kind: 'number', default: '1', help: 'projects that are worth an alert' },
    },
    board: 'dbpm-usage-cost',
    summary: 'Ledgers of use disagree.',
    headline:
      'Ledgers of {{ $value }} projects of account {{ $labels.account }} disagree; likely wrong: {{ $labels.likely_wrong }}.',
    description:
      'For {{ $value }} projects of account {{ $labels.account }} two ledgers were more than a tenth and an hour apart in one day: the meter of the service and the counters it reports, or the awake time it tells and the one that endpoints showed. This one is likely wrong: {{ $labels.likely_wrong }}. See the projects on the board, and ask the service about the day.',
    expression: (scope, { least }) => `${scope.select(shardRules.ledgerDriftProjects)} >= ${least}`,
    examples: {
      fires: {
        series: { [select(ledgerDriftProjects, wrongly)]: '0x9 2x200 0x20' },
        quietAt: '189m',
        firesAt: '190m',
        resolvedAt: '211m',
        labels: wrongly,
        headline: 'Ledgers of 2 projects of account main disagree; likely wrong: reported.',
        description:
          'For 2 projects of account main two ledgers were more than a tenth and an hour apart in one day: the meter of the service and the counters it reports, or the awake time it tells and the one that endpoints showed. This one is likely wrong: reported. See the projects on the board, and ask the service about the day.',
      },
      quiet: {
        series: { [select(ledgerDriftProjects, wrongly)]: '0x230' },
        at: '230m',
      },
    },
  }),
];
