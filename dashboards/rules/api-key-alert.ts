import { apiKeyFamilies } from '../../src/resources/api-key.ts';
import { labelList, select } from '../promql.ts';
import { account, defineAlert } from './alert.ts';
import { type RuleScope, renderDuration } from './rule-scope.ts';

const { info, createdTimestamp, idleSinceTimestamp, lastUsedTimestamp, stale, sourceAddressChanges } =
  apiKeyFamilies;

const key = { ...account, key_id: '7' } as const;
const labels = { ...key, key_name: 'ci' } as const;
const named = { [select(info, labels)]: '1x10000' };
const onKey = labelList('on', info, 'instance', 'account', 'key_id');

/** The same samples, with the name of their key beside its id. */
function nameKey(scope: RuleScope, expression: string): string {
  const joined = `${onKey} ${labelList('group_left', info, 'key_name')}`;
  return `(\n  ${expression}\n)\n* ${joined} ${scope.select(info)}`;
}

/** Whether a key needs a look: each gives access to all of the account until it is revoked. */
export const apiKeyAlerts = [
  defineAlert({
    name: 'DbpmApiKeyUnused',
    severity: 'info',
    for: '1h',
    thresholds: {},
    board: 'dbpm-api-keys',
    summary: 'An API key has not been used for a long time.',
    headline:
      'Key {{ $labels.key_name }} of account {{ $labels.account }} was last used {{ $value | humanizeDuration }} ago.',
    description:
      'Key {{ $labels.key_name }} ({{ $labels.key_id }}) of account {{ $labels.account }} was last used {{ $value | humanizeDuration }} ago, longer than keys.stale_after. Ask its owner, and revoke it if it is not needed: revoking cannot be undone.',
    expression: scope =>
      nameKey(
        scope,
        `time() - ${scope.select(lastUsedTimestamp)}\n  and ${onKey}\n  ${scope.select(stale)} == 1`,
      ),
    examples: {
      fires: {
        series: {
          ...named,
          [select(lastUsedTimestamp, key)]: '-3888000x90 5460x60',
          [select(stale, key)]: '0x9 1x80 0x60',
        },
        quietAt: '69m',
        firesAt: '70m',
        resolvedAt: '91m',
        labels,
        value: '45d 1h 10m 0s',
      },
      quiet: {
        // Never used is an alert of its own.
        series: { ...named, [select(createdTimestamp, key)]: '-3888000x90', [select(stale, key)]: '1x90' },
        at: '90m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmApiKeyNeverUsed',
    severity: 'info',
    for: '1h',
    thresholds: {
      age: { kind: 'duration', default: '7d', help: 'a key that was never used may be this old' },
    },
    board: 'dbpm-api-keys',
    summary: 'An API key was created and never used.',
    headline:
      'Key {{ $labels.key_name }} of account {{ $labels.account }} was created {{ $value | humanizeDuration }} ago and never used.',
    description:
      'Key {{ $labels.key_name }} ({{ $labels.key_id }}) of account {{ $labels.account }} was created {{ $value | humanizeDuration }} ago and never used. Ask who created it, and revoke it if it is not needed: its value may lie around where it was pasted.',
    // Since its creation, where it was never used; not told of one that was used at a time that is not known.
    expression: (scope, { age }) =>
      nameKey(
        scope,
        `time() - ${scope.select(idleSinceTimestamp)} > ${age}\n  unless ${onKey}\n  ${scope.select(lastUsedTimestamp)}`,
      ),
    examples: {
      fires: {
        series: {
          ...named,
          [select(idleSinceTimestamp, key)]: '-604200x200',
          [select(lastUsedTimestamp, key)]: '_x100 6000x100',
        },
        quietAt: '70m',
        firesAt: '71m',
        resolvedAt: '100m',
        labels,
        value: '7d 1h 1m 0s',
      },
      quiet: {
        series: {
          ...named,
          [select(idleSinceTimestamp, key)]: '-604200x200',
          [select(lastUsedTimestamp, key)]: '-600000x200',
        },
        at: '150m',
      },
    },
  }),
  defineAlert({
    name: 'DbpmApiKeyTooOld',
    severity: 'info',
    for: '1h',
    thresholds: {
      age: { kind: 'duration', default: '365d', help: 'a key older than this should be replaced' },
    },
    board: 'dbpm-api-keys',
    summary: 'An API key is due for replacement.',
    headline:
      'Key {{ $labels.key_name }} of account {{ $labels.account }} is {{ $value | humanizeDuration }} old and due for replacement.',
    description:
      'Key {{ $labels.key_name }} ({{ $labels.key_id }}) of account {{ $labels.account }} was created {{ $value | humanizeDuration }} ago. Create a new one, give it to whatever uses this one, then revoke this one.',
    expression: (scope, { age }) => nameKey(scope, `time() - ${scope.select(createdTimestamp)} > ${age}`),
    examples: {
      fires: {
        series: { ...named, [select(createdTimestamp, key)]: '-31535400x99 stale' },
        quietAt: '70m',
        firesAt: '71m',
        resolvedAt: '100m',
        labels,
        value: '365d 1h 1m 0s',
      },
      quiet: { series: { ...named, [select(createdTimestamp, key)]: '-31520000x200' }, at: '150m' },
    },
  }),
  defineAlert({
    name: 'DbpmApiKeySourceAddressChanged',
    severity: 'warning',
    for: '1m',
    thresholds: {
      window: { kind: 'duration', default: '1h', help: 'how long a change is news' },
    },
    board: 'dbpm-api-keys',
    summary: 'An API key is used from another address than before.',
    headline:
      'Key {{ $labels.key_name }} of account {{ $labels.account }} is used from another address than before.',
    description:
      'Key {{ $labels.key_name }} ({{ $labels.key_id }}) of account {{ $labels.account }} was used from another address. The console shows it: if it is not one of yours, revoke the key at once. Keys of clients without a fixed address are better left out of this alert.',
    expression: (scope, { window }) =>
      nameKey(scope, `increase(${scope.select(sourceAddressChanges)}[${renderDuration(window)}]) > 0`),
    examples: {
      fires: {
        series: { ...named, [select(sourceAddressChanges, key)]: '0x9 1x200' },
        quietAt: '10m',
        firesAt: '11m',
        resolvedAt: '70m',
        labels,
      },
      quiet: { series: { ...named, [select(sourceAddressChanges, key)]: '_x5 3x200' }, at: '60m' },
    },
  }),
];
