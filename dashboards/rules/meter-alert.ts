import { accountLedgerFamilies } from '../../src/resources/usage/ledger-drift.ts';
import { unusualMeterFamilies } from '../../src/resources/usage/project.ts';
import { select } from '../promql.ts';
import { account, defineAlert, named, project } from './alert.ts';
import { nameProject } from './rule-scope.ts';
import { shardRules } from './shard-rule.ts';

const { ledgerDriftProjects } = accountLedgerFamilies;

const wrongly = { ...account, likely_wrong: 'reported' } as const;

const { unusualTransferBytes, unusualStorageGrowthBytes, unusualExtraBranches } = unusualMeterFamilies;

/** Samples with what they count as the label `metered`; `$1` stands for the value of a label. */
function meteredAs(expression: string, text: string, label = ''): string {
  return `label_replace(${expression} > 0, "metered", "${text}", "${label}", "(.*)")`;
}

/** Whether what the service meters is what it reports, and endpoints were awake for as long as it says. */
export const meterAlerts = [
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
        value: '2',
      },
      quiet: {
        series: { [select(ledgerDriftProjects, wrongly)]: '0x230' },
        at: '230m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmMeterUnusual',
    severity: 'info',
    for: '30m',
    thresholds: {},
    board: 'dbpm-project',
    summary: 'A project transferred, stored or branched far more than usual.',
    headline:
      'Project {{ $labels.project_name }}: {{ $value | humanize }} {{ $labels.metered }} beyond its habit.',
    description:
      'The meter of the service tells of {{ $value | humanize }} {{ $labels.metered }} in a day of project {{ $labels.project_name }} ({{ $labels.project_id }}) beyond its habit. If it was not planned, look for an export that is repeated, a load that is stuck, or branches that are not deleted.',
    expression: scope =>
      nameProject(
        scope,
        [
          '(',
          `  ${meteredAs(scope.select(unusualTransferBytes), 'bytes of $1 transfer', 'network')}`,
          '  or',
          `  ${meteredAs(scope.select(unusualStorageGrowthBytes), 'bytes of new storage ($1)', 'kind')}`,
          '  or',
          `  ${meteredAs(scope.select(unusualExtraBranches), 'extra branches')}`,
          ')',
        ].join('\n'),
      ),
    examples: {
      fires: {
        series: {
          ...named,
          [select(unusualTransferBytes, { ...project, network: 'public' })]: '_x9 64e9x60 stale',
        },
        quietAt: '38m',
        firesAt: '39m',
        resolvedAt: '70m',
        labels: { ...project, project_name: 'shop', network: 'public', metered: 'bytes of public transfer' },
        value: '64G',
      },
      quiet: {
        // Found so late in the day after that half an hour was not left of it.
        series: {
          ...named,
          [select(unusualStorageGrowthBytes, { ...project, kind: 'root_branch' })]: '20e9x20 stale',
          [select(unusualExtraBranches, project)]: '_x20 40x20 stale',
        },
        at: '60m',
      },
    },
  }),
];
