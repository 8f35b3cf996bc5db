import { accountFamilies } from '../../src/resources/account.ts';
import { accountLists } from '../../src/resources/collector.ts';
import type { Reason } from '../../src/resources/reason.ts';
import { type Matcher, select } from '../promql.ts';
import { account, defineAlert } from './alert.ts';
import { onAccount, renderDuration } from './rule-scope.ts';
import { overShards } from './shard-rule.ts';

const { up, collectorErrors, collectorFailingSinceTimestamp, projectsUnavailable, lostFields } =
  accountFamilies;

const operations = { ...account, collector: 'operations' } as const;

/** Reasons that do not pass by themselves: what cannot be read for one of them stays unread. */
export const lastingReasons: readonly Reason[] = [
  'unauthorized',
  'forbidden',
  'malformed',
  'too_large',
  'bad_request',
  'internal',
];

/** Whether an account whose lists can be read can be read in whole. */
export const collectorAlerts = [
  defineAlert({
    name: 'DbpmCollectorFailing',
    severity: 'warning',
    for: '15m',
    thresholds: {
      errors: {
        kind: 'number',
        default: '2',
        help: 'more failed readings and unusable items than this are no accident',
      },
      window: { kind: 'duration', default: '15m', help: 'how far back they are counted' },
    },
    board: 'dbpm-exporter',
    summary: 'Part of an account cannot be read.',
    headline:
      '{{ $value | humanize }} readings of {{ $labels.collector }} of account {{ $labels.account }} failed or left items out: {{ $labels.reason }}.',
    description:
      '{{ $value | humanize }} readings of {{ $labels.collector }} of account {{ $labels.account }} failed, or items in them were left out, for the reason {{ $labels.reason }}: what they are about is old, missing or gone. The exporter log says what it is and what is wrong with it.',
    expression: (scope, { errors, window }) => {
      const reason = { matches: lastingReasons.join('|') };
      const count = (collector: Matcher) =>
        `(increase(${scope.select(collectorErrors, { collector, reason })}[${renderDuration(window)}]) unless ${onAccount} ${scope.select(up)} == 0)`;
      const lists = accountLists.join('|');
      // Every shard reads the lists, and counts the same faults of them.
      const counted = [count({ matches: lists }), overShards(scope, count({ notMatches: lists }))];
      return `(\n${counted.join('\nor\n')}\n) > ${errors}`;
    },
    examples: {
      fires: {
        series: {
          [select(collectorErrors, { ...operations, reason: 'malformed' })]: '0x4 1+1x29 30x30',
          [select(up, account)]: '1x60',
        },
        quietAt: '21m',
        firesAt: '22m',
        resolvedAt: '47m',
        labels: { ...operations, reason: 'malformed' },
        value: '15',
      },
      quiet: {
        // Services are down at times, and a whole account that cannot be read has an alert of its own.
        series: {
          [select(collectorErrors, { ...operations, reason: 'unavailable' })]: '0+1x60',
          [select(collectorErrors, { ...operations, account: 'down', reason: 'unauthorized' })]: '0+1x60',
          [select(up, { ...account, account: 'down' })]: '0x60',
        },
        at: '60m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmProjectUnreadable',
    severity: 'warning',
    for: '5m',
    thresholds: {
      age: { kind: 'duration', default: '1h', help: 'for this long a project may not be readable' },
    },
    board: 'dbpm-exporter',
    summary: 'A project cannot be read.',
    headline:
      'The {{ $labels.collector }} of a project of account {{ $labels.account }} could not be read for {{ $value | humanizeDuration }}.',
    description:
      'The {{ $labels.collector }} of at least one project of account {{ $labels.account }} could not be read for {{ $value | humanizeDuration }}, whatever the reason: what is shown of them is old or gone. The exporter log names the project and says why.',
    expression: (scope, { age }) =>
      `time() - ${scope.select(collectorFailingSinceTimestamp)} > ${age}\nunless ${onAccount}\n${scope.select(up)} == 0`,
    examples: {
      fires: {
        series: {
          [select(collectorFailingSinceTimestamp, operations)]: '60x80 _x20',
          [select(up, account)]: '1x100',
        },
        quietAt: '65m',
        firesAt: '67m',
        resolvedAt: '90m',
        labels: operations,
        value: '1h 6m 0s',
      },
      quiet: {
        // One that fails and is read again, and an account that cannot be read at all.
        series: {
          [select(collectorFailingSinceTimestamp, operations)]: '60x30 3600x60',
          [select(up, account)]: '1x100',
          [select(collectorFailingSinceTimestamp, { ...operations, account: 'down' })]: '60x100',
          [select(up, { ...account, account: 'down' })]: '0x100',
        },
        at: '90m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmProjectsUnavailable',
    severity: 'warning',
    for: '5m',
    thresholds: {},
    board: 'dbpm-exporter',
    summary: 'The service names projects that it cannot list.',
    headline: 'The service cannot list {{ $value | humanize }} projects of account {{ $labels.account }}.',
    description:
      'The list of account {{ $labels.account }} names {{ $value | humanize }} projects as unavailable instead of showing them: their use of compute stands still on boards, and their series vanish after collect.drop_after. The exporter log names some of them. If it lasts, ask the support of the service.',
    expression: scope => `${scope.select(projectsUnavailable)} > 0`,
    examples: {
      fires: {
        series: { [select(projectsUnavailable, account)]: '_x5 3x9 0x10' },
        quietAt: '9m',
        firesAt: '10m',
        resolvedAt: '15m',
        labels: account,
        value: '3',
      },
      quiet: { series: { [select(projectsUnavailable, account)]: '3x3 0x10' }, at: '10m' },
    },
  }),
  defineAlert({
    name: 'DbpmFieldsLost',
    severity: 'warning',
    for: '15m',
    thresholds: {
      fields: { kind: 'number', default: '2', help: 'more fields of one name than this are no accident' },
      window: { kind: 'duration', default: '1h', help: 'how far back they are counted' },
    },
    board: 'dbpm-exporter',
    summary: 'The service sends a field that cannot be used.',
    headline:
      '{{ $value | humanize }} times the service sent {{ $labels.field }} of account {{ $labels.account }} as nothing that can be used.',
    description:
      '{{ $value | humanize }} times the field {{ $labels.field }} of account {{ $labels.account }} was of another type than it should be, or a value that cannot be. What rests on it is old, missing or inferred; the rest of each answer counts. Compare an answer with the documents of the service, and report it if those say the same.',
    expression: (scope, { fields, window }) =>
      `(\n${overShards(scope, `increase(${scope.select(lostFields)}[${renderDuration(window)}])`)}\n) > ${fields}`,
    examples: {
      fires: {
        series: { [select(lostFields, { ...account, field: 'quota' })]: '_x4 1+1x59 60x80' },
        quietAt: '20m',
        firesAt: '21m',
        resolvedAt: '123m',
        labels: { ...account, field: 'quota' },
        value: '18',
      },
      quiet: {
        // An answer or two that went wrong.
        series: { [select(lostFields, { ...account, field: 'quota' })]: '0x4 2x60' },
        at: '60m',
      },
    },
  }),
];
