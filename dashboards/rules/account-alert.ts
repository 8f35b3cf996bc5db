import { selfFamilies } from '../../src/metrics/self/self-family.ts';
import { accountFamilies } from '../../src/resources/account.ts';
import { projectFamilies } from '../../src/resources/project.ts';
import { labelList, select } from '../promql.ts';
import { account, defineAlert } from './alert.ts';
import { onAccount, renderDuration } from './rule-scope.ts';

const { up, authOk, collectorLastSuccessTimestamp, implausibleValues } = accountFamilies;
const { apiRequests } = selfFamilies;

const route = '/projects';

/** Whether each account can be read. */
export const accountAlerts = [
  defineAlert({
    name: 'DbpmAccountFailing',
    severity: 'critical',
    for: '10m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'The lists of an account cannot be read.',
    headline: 'The lists of account {{ $labels.account }} cannot be read.',
    description:
      'The lists of account {{ $labels.account }} have failed to load: what is shown of it is old or gone. See the errors by reason on the board and the exporter log; the service may be down or out of reach.',
    expression: scope => `${scope.select(up)} == 0\nunless ${onAccount}\n${scope.select(authOk)} == 0`,
    examples: {
      fires: {
        series: { [select(up, account)]: '1x4 0x14 1x5', [select(authOk, account)]: '1x30' },
        quietAt: '14m',
        firesAt: '15m',
        resolvedAt: '20m',
        labels: account,
      },
      quiet: {
        series: { [select(up, account)]: '0x30', [select(authOk, account)]: '0x30' },
        at: '30m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmKeyRejected',
    severity: 'critical',
    for: '1m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'The service rejects the API key of an account.',
    headline: 'The service rejects the API key of account {{ $labels.account }}.',
    description:
      'The service answers 401 to the key of account {{ $labels.account }}: it is missing, mistyped or revoked, and nothing of the account is watched. Create a new key and put it where the exporter reads it.',
    expression: scope => `${scope.select(authOk)} == 0`,
    examples: {
      fires: {
        series: { [select(authOk, account)]: '1x4 0x4 1x5' },
        quietAt: '5m',
        firesAt: '6m',
        resolvedAt: '10m',
        labels: account,
      },
      quiet: { series: { [select(authOk, account)]: '1x10', [select(up, account)]: '0x10' }, at: '10m' },
    },
  }),
  defineAlert({
    name: 'DbpmRateLimited',
    severity: 'warning',
    for: '15m',
    keepFiringFor: '15m',
    thresholds: {
      share: { kind: 'number', default: '0.05', help: 'the share of requests answered 429 that is too much' },
      window: { kind: 'duration', default: '15m', help: 'how far back requests are counted' },
    },
    board: 'dbpm-exporter',
    summary: 'The service turns requests of an exporter away.',
    headline:
      'The service turns {{ $value | humanizePercentage }} of the requests for account {{ $labels.account }} away.',
    description:
      '{{ $value | humanizePercentage }} of the requests for account {{ $labels.account }} are answered 429, so its data ages. Lower requests_per_minute of the account, or find who else uses its limit.',
    expression: (scope, { share, window }) => {
      const sum = (limited: boolean) => {
        const matchers = limited ? { outcome: 'rate_limited' } : {};
        const requests = `increase(${scope.select(apiRequests, matchers)}[${renderDuration(window)}])`;
        return `sum ${labelList('without', apiRequests, 'route', 'outcome')} (${requests})`;
      };
      return `${sum(true)}\n/ ${sum(false)}\n> ${share}`;
    },
    examples: {
      fires: {
        series: {
          [select(apiRequests, { ...account, route, outcome: 'ok' })]: '0+90x120',
          [select(apiRequests, { ...account, route, outcome: 'rate_limited' })]: '0x10 10+10x49 500x60',
        },
        // Ten of a hundred are rejected from the eleventh minute on: a twentieth of a quarter of an hour by the 18th.
        quietAt: '32m',
        firesAt: '33m',
        resolvedAt: '83m',
        labels: account,
        value: '10%',
      },
      quiet: {
        series: {
          [select(apiRequests, { ...account, route, outcome: 'ok' })]: '0+96x60',
          [select(apiRequests, { ...account, route, outcome: 'rate_limited' })]: '0+4x60',
        },
        at: '60m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmValuesImplausible',
    severity: 'warning',
    for: '15m',
    thresholds: {
      window: {
        kind: 'duration',
        default: '15m',
        help: 'how far back values that were held back are counted',
      },
    },
    board: 'dbpm-exporter',
    summary: 'The service reports values that cannot be true.',
    headline:
      'The service reports {{ $labels.field }} that cannot be true for account {{ $labels.account }}.',
    description:
      'Readings of account {{ $labels.account }} hold values of {{ $labels.field }} that cannot be true. They count for nothing, so that use, cost or durations may be too low. The exporter log names one of them; tell the support of the service.',
    expression: (scope, { window }) =>
      `increase(${scope.select(implausibleValues)}[${renderDuration(window)}]) > 0`,
    examples: {
      fires: {
        // One with every reading of a quarter of an hour and more.
        series: { [select(implausibleValues, { ...account, field: 'cpu_used_sec' })]: '0x4 1+1x19 20x30' },
        quietAt: '19m',
        firesAt: '20m',
        resolvedAt: '39m',
        labels: { ...account, field: 'cpu_used_sec' },
      },
      quiet: {
        // A single odd value is nothing to wake up for.
        series: { [select(implausibleValues, { ...account, field: 'updated_at' })]: '0x4 1x40' },
        at: '19m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmDataStale',
    severity: 'warning',
    for: '1m',
    thresholds: {
      // The keys are read every few minutes: what keeps all from being read is told first, by an alert of its own.
      list_age: {
        kind: 'duration',
        default: '20m',
        help: 'the lists of the account must be younger; keep it well above collect.api_keys_refresh',
      },
      project_age: {
        kind: 'duration',
        default: '45m',
        help: 'some endpoints and operations must be younger; keep it well above collect.idle_refresh',
      },
    },
    board: 'dbpm-exporter',
    summary: 'What is shown of an account is old.',
    headline:
      'The {{ $labels.collector }} of account {{ $labels.account }} were last read {{ $value | humanizeDuration }} ago.',
    description:
      'The {{ $labels.collector }} of account {{ $labels.account }} were last read {{ $value | humanizeDuration }} ago. See the errors by reason and the request budget on the board, and the exporter log.',
    expression: (scope, { list_age, project_age }) => {
      const age = (collectors: string) =>
        `time() - ${scope.select(collectorLastSuccessTimestamp, { collector: { matches: collectors } })}`;
      return [
        `${age('projects|api_keys')} > ${list_age}`,
        'or',
        `(${age('endpoints|operations')} > ${project_age} and ${onAccount} ${scope.select(projectFamilies.info)})`,
      ].join('\n');
    },
    examples: {
      fires: {
        series: {
          [select(collectorLastSuccessTimestamp, { ...account, collector: 'projects' })]: '0x25 1560+60x10',
        },
        quietAt: '21m',
        firesAt: '22m',
        resolvedAt: '26m',
        labels: { ...account, collector: 'projects' },
        value: '22m 0s',
      },
      quiet: {
        // An account whose last project was deleted has nothing left to read.
        series: {
          [select(collectorLastSuccessTimestamp, { ...account, collector: 'projects' })]: '0+60x90',
          [select(collectorLastSuccessTimestamp, { ...account, collector: 'endpoints' })]: '0x90',
        },
        at: '90m',
      },
    },
  }),
];
