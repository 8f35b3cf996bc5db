import { accountFamilies } from '../../src/resources/account.ts';
import type { Reason } from '../../src/resources/reason.ts';
import { select } from '../promql.ts';
import { defineAlert } from './alert.ts';
import { onAccount, renderDuration } from './rule-scope.ts';

const { up, collectorErrors, projectsUnavailable } = accountFamilies;

const account = { job: 'dbpm', instance: 'dbpm:10062', account: 'main' } as const;
const operations = { ...account, collector: 'operations' } as const;

/** Reasons that do not pass by themselves: what cannot be read for one of them stays unread. */
export const lastingReasons: readonly Reason[] = [
  'unauthorized',
  'forbidden',
  'malformed',
  'too_large',
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
    summary: 'Part of an account cannot be read, for a reason that does not pass by itself.',
    headline:
      '{{ $value | humanize }} readings of {{ $labels.collector }} of account {{ $labels.account }} failed or left items out: {{ $labels.reason }}.',
    description:
      '{{ $value | humanize }} readings of {{ $labels.collector }} of account {{ $labels.account }} failed, or items in them were left out, for the reason {{ $labels.reason }}: what they are about is old, missing or gone. The exporter log says what it is and what is wrong with it.',
    expression: (scope, { errors, window }) => {
      const reason = { matches: lastingReasons.join('|') };
      const counted = `increase(${scope.select(collectorErrors, { reason })}[${renderDuration(window)}])`;
      return `${counted} > ${errors}\nunless ${onAccount}\n${scope.select(up)} == 0`;
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
        headline: '15 readings of operations of account main failed or left items out: malformed.',
        description:
          '15 readings of operations of account main failed, or items in them were left out, for the reason malformed: what they are about is old, missing or gone. The exporter log says what it is and what is wrong with it.',
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
        headline: 'The service cannot list 3 projects of account main.',
        description:
          'The list of account main names 3 projects as unavailable instead of showing them: their use of compute stands still on boards, and their series vanish after collect.drop_after. The exporter log names some of them. If it lasts, ask the support of the service.',
      },
      quiet: { series: { [select(projectsUnavailable, account)]: '3x3 0x10' }, at: '10m' },
    },
  }),
];
