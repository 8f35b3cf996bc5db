import { accountFamilies } from '../../src/resources/account.ts';
import { accountMeterFamilies } from '../../src/resources/metered.ts';
import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { reconstructionFamilies } from '../../src/resources/usage/ledger-drift.ts';
import { projectUsageFamilies } from '../../src/resources/usage/project.ts';
import { labelList, select } from '../promql.ts';
import { account, defineAlert, named, project } from './alert.ts';
import { nameProject, onAccount } from './rule-scope.ts';
import { shardRules } from './shard-rule.ts';

const { usageKnownTimestamp, periodUnpricedComputeSeconds } = accountUsageFamilies;
const { reportedComputeSeconds, reconstructedComputeSeconds } = reconstructionFamilies;
const { unusualComputeSeconds } = projectUsageFamilies;
const { periodUnpricedCompute, reportedCompute, reconstructedCompute } = shardRules;

const lower = { ...account, bound: 'lower' } as const;

/** Whether use is known, understood, priced, and as usual. */
export const usageAlerts = [
  defineAlert({
    name: 'DbpmUsageStale',
    severity: 'warning',
    for: '15m',
    thresholds: {
      age: { kind: 'duration', default: '2h', help: 'until this long ago use must be known' },
    },
    board: 'dbpm-usage-cost',
    summary: 'Use and cost of an account stand still.',
    headline:
      'Use and cost of account {{ $labels.account }} are known until {{ $value | humanizeDuration }} ago only.',
    description:
      'Use of account {{ $labels.account }} is known until {{ $value | humanizeDuration }} ago only: its costs and budgets stand still, and their alerts say nothing. See the exporter log, and restart the exporter if its other data is fresh.',
    expression: (scope, { age }) =>
      [
        `time() - ${scope.select(usageKnownTimestamp)} > ${age}`,
        `unless ${onAccount} ${scope.select(accountFamilies.up)} == 0`,
      ].join('\n'),
    examples: {
      fires: {
        // Nothing new for two hours and more.
        series: {
          [select(usageKnownTimestamp, account)]: '0x140 8460+60x20',
          [select(accountFamilies.up, account)]: '1x161',
        },
        quietAt: '135m',
        firesAt: '136m',
        resolvedAt: '141m',
        labels: account,
        value: '2h 16m 0s',
      },
      quiet: {
        // The account itself cannot be read: that has an alert of its own.
        series: {
          [select(usageKnownTimestamp, account)]: '0x160',
          [select(accountFamilies.up, account)]: '0x160',
        },
        at: '160m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmMeterStopped',
    severity: 'warning',
    for: '30m',
    thresholds: {
      age: { kind: 'duration', default: '6h', help: 'until this long ago consumption must be metered' },
    },
    board: 'dbpm-usage-cost',
    summary: 'The meter of an account stands still.',
    headline: 'Account {{ $labels.account }} is metered until {{ $value | humanizeDuration }} ago only.',
    description:
      'The last hour that the meter of the service tells of account {{ $labels.account }} ended {{ $value | humanizeDuration }} ago. What is metered by the hour is kept for a week and lost after it. See the collector consumption in the exporter log; where the service took its meter away, set collect.consumption to off.',
    expression: (scope, { age }) =>
      [
        `time() - ${scope.select(accountMeterFamilies.meteredUntilTimestamp)} > ${age}`,
        `unless ${onAccount} ${scope.select(accountFamilies.up)} == 0`,
      ].join('\n'),
    examples: {
      fires: {
        // Nothing new for six hours and more.
        series: {
          [select(accountMeterFamilies.meteredUntilTimestamp, account)]: '0x395 23760+60x30',
          [select(accountFamilies.up, account)]: '1x430',
        },
        quietAt: '390m',
        firesAt: '391m',
        resolvedAt: '396m',
        labels: account,
        value: '6h 31m 0s',
      },
      quiet: {
        // The account itself cannot be read: that has an alert of its own.
        series: {
          [select(accountMeterFamilies.meteredUntilTimestamp, account)]: '0x460',
          [select(accountFamilies.up, account)]: '0x460',
        },
        at: '460m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmUsageUnpriced',
    severity: 'info',
    for: '1h',
    thresholds: {
      least: { kind: 'duration', default: '1h', help: 'compute time without a price that is worth an alert' },
    },
    board: 'dbpm-usage-cost',
    summary: 'Part of what an account uses has no price.',
    headline: '{{ $value | printf "%.1f" }} compute hours of account {{ $labels.account }} have no price.',
    description:
      '{{ $value | printf "%.1f" }} compute hours of account {{ $labels.account }} in this billing period have no price or no exchange rate, and are in no cost, forecast or budget of money. Add what is missing to the price book.',
    expression: (scope, { least }) => `${scope.select(periodUnpricedCompute)} / 3600 > ${least / 3600}`,
    examples: {
      fires: {
        // Two minutes of compute a minute, until the price is there.
        series: { [select(periodUnpricedComputeSeconds, account)]: '0+120x100 0x20' },
        quietAt: '90m',
        firesAt: '91m',
        resolvedAt: '101m',
        labels: account,
        value: '3.0',
      },
      quiet: { series: { [select(periodUnpricedComputeSeconds, account)]: '3600x120' }, at: '120m' },
    },
  }),
  defineAlert({
    name: 'DbpmUsageDrift',
    severity: 'warning',
    for: '3h',
    thresholds: {
      share: {
        kind: 'number',
        default: '0.1',
        help: 'how far off what is possible it may be, as a part of that',
      },
      least: { kind: 'duration', default: '1h', help: 'compute time a day below which nothing is compared' },
    },
    board: 'dbpm-usage-cost',
    summary: 'The service reports use that cannot be.',
    headline:
      'The service reports {{ $value | humanizeDuration }} of compute a day more or less than endpoints of account {{ $labels.account }} can have used.',
    description:
      'The compute that the service reports for account {{ $labels.account }} is {{ $value | humanizeDuration }} a day off the nearest amount that its endpoints can have used by when they were awake. Compare projects with their endpoints on the board, and the bill with both.',
    // A ratio would not do: there is none where something is reported although nothing was awake.
    expression: (scope, { share, least }) => {
      const reported = scope.select(reportedCompute);
      const bound = (name: string) => scope.select(reconstructedCompute, { bound: name });
      const against = labelList('ignoring', reconstructedCompute, 'bound');
      const [upper, lower] = [bound('upper'), bound('lower')];
      return [
        `((${reported} - ${against} ${upper}) > ${against} (${share} * ${upper}) and ${reported} > ${least})`,
        'or',
        `((${lower} - ${against} ${reported}) > ${against} (${share} * ${lower}) and ${against} ${lower} > ${least})`,
      ].join('\n');
    },
    examples: {
      fires: {
        // Nothing was awake, and four hours were counted.
        series: {
          [select(reportedComputeSeconds, account)]: '0x9 14400x200 0x20',
          [select(reconstructedComputeSeconds, { ...account, bound: 'upper' })]: '0x230',
          [select(reconstructedComputeSeconds, lower)]: '0x230',
        },
        quietAt: '189m',
        firesAt: '190m',
        resolvedAt: '211m',
        labels: account,
        value: '4h 0m 0s',
      },
      quiet: {
        // Twice the most that can have been used, but only half an hour a day: too little to judge. Elsewhere, what may be.
        series: {
          [select(reportedComputeSeconds, account)]: '1800x230',
          [select(reconstructedComputeSeconds, { ...account, bound: 'upper' })]: '900x230',
          [select(reconstructedComputeSeconds, lower)]: '900x230',
          [select(reportedComputeSeconds, { ...account, account: 'other' })]: '18000x230',
          [select(reconstructedComputeSeconds, { ...account, account: 'other', bound: 'upper' })]:
            '17000x230',
          [select(reconstructedComputeSeconds, { ...lower, account: 'other' })]: '16000x230',
        },
        at: '230m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmUsageUnusual',
    severity: 'info',
    for: '30m',
    thresholds: {
      least: {
        kind: 'duration',
        default: '1h',
        help: 'compute time beyond its habit that is worth an alert',
      },
    },
    board: 'dbpm-project',
    summary: 'A project used far more compute in a day than usual.',
    headline:
      'Project {{ $labels.project_name }} used {{ $value | printf "%.1f" }} compute hours in a day beyond its habit.',
    description:
      'Project {{ $labels.project_name }} ({{ $labels.project_id }}) used {{ $value | printf "%.1f" }} compute hours in the last day beyond what it does at these hours of the week. If it was not planned, look for a new client or a job that is stuck.',
    expression: (scope, { least }) =>
      nameProject(scope, `(\n  ${scope.select(unusualComputeSeconds)} / 3600 > ${least / 3600}\n)`),
    examples: {
      fires: {
        series: {
          ...named,
          [select(unusualComputeSeconds, project)]: '_x9 5400x60 stale',
        },
        quietAt: '38m',
        firesAt: '39m',
        resolvedAt: '70m',
        labels: { ...project, project_name: 'shop' },
        value: '1.5',
      },
      quiet: {
        series: {
          ...named,
          [select(unusualComputeSeconds, project)]: '3600x120',
        },
        at: '120m',
      },
    },
  }),
];
