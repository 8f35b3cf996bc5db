import { accountFamilies } from '../../src/resources/account.ts';
import { apiKeyFamilies } from '../../src/resources/api-key.ts';
import { labelList } from '../promql.ts';
import type { Board } from './board.ts';
import { listAgeBands, risingBands, yesOrNo, zeroIsGood } from './look.ts';
import { perKey } from './name.ts';
import { agePanel, stat, timeseries } from './panel.ts';
import { age, increaseInRange, scoped } from './scope.ts';
import { table } from './table.ts';

const { info, createdTimestamp, lastUsedTimestamp, idleSinceTimestamp, stale, sourceAddressChanges } =
  apiKeyFamilies;
const day = 86400;
const onKey = labelList('on', info, 'job', 'instance', 'account', 'key_id');
const neverUsed = `${scoped(createdTimestamp)} unless ${onKey} ${scoped(lastUsedTimestamp)}`;
const gone = `max_over_time(${scoped(info)}[$__range]) unless ${onKey} ${scoped(info)}`;
const goneIdle = `(${gone}) * ${onKey} ${labelList('group_left', info)} (time() - max_over_time(${scoped(idleSinceTimestamp)}[$__range]))`;
const keyColumns = [
  { label: 'key_name', title: 'Key' },
  { label: 'account', title: 'Account', width: 100 },
  { label: 'key_id', title: 'Id', width: 100 },
] as const;

const nowPanels = [
  stat({
    title: 'API keys',
    description: 'Keys the accounts have now.',
    expression: `count(${scoped(info)})`,
  }),
  stat({
    title: 'Stale',
    description: 'Keys unused for longer than `keys.stale_after` of the configuration: candidates to revoke.',
    expression: `sum(${scoped(stale)})`,
    bands: { base: 'green', above: [[1, 'orange']] },
  }),
  stat({
    title: 'Never used',
    description: 'Keys that were never used.',
    expression: `count(${neverUsed}) or vector(0)`,
    bands: { base: 'green', above: [[1, 'orange']] },
  }),
  stat({
    title: 'Source address changes',
    description: 'How often a key was found in use from another address than before, within the time range.',
    decimals: 0,
    expression: `round(sum(${increaseInRange(sourceAddressChanges)}))`,
    bands: zeroIsGood,
  }),
  stat({
    title: 'Keys gone',
    description: 'Keys that were there within the time range and are not any more.',
    expression: `count(${gone}) or vector(0)`,
  }),
  agePanel({
    description: 'How long ago the list of keys was last read, of the account furthest behind.',
    expression: `max(${age(accountFamilies.collectorLastSuccessTimestamp, { collector: 'api_keys' })})`,
    bands: listAgeBands,
  }),
];

const keyPanels = [
  table({
    title: 'Keys by idle time',
    description:
      'The longest idle base: since their last use, or since their creation if they were never used. Orange after 30 days, red after 90.',
    width: 24,
    height: 12,
    labels: keyColumns,
    values: [
      {
        title: 'Idle for',
        expression: perKey(age(idleSinceTimestamp)),
        unit: 's',
        bands: risingBands(30 * day, 90 * day),
      },
      {
        title: 'Since last use',
        expression: perKey(age(lastUsedTimestamp)),
        unit: 's',
        noValue: 'never used',
      },
      {
        title: 'Age',
        expression: perKey(age(createdTimestamp)),
        unit: 's',
        bands: { base: 'text', above: [[365 * day, 'orange']] },
      },
      {
        title: 'Stale',
        expression: perKey(scoped(stale)),
        mappings: yesOrNo('orange', 'text'),
      },
    ],
    sortBy: 'Idle for',
  }),
  table({
    title: 'Never used',
    description: 'Keys that were never used, the oldest first.',
    labels: keyColumns,
    values: [{ title: 'Age', expression: perKey(`time() - (${neverUsed})`), unit: 's' }],
    sortBy: 'Age',
  }),
  timeseries({
    title: 'Keys, and stale ones',
    description: 'How many keys there are, and how many of them are stale.',
    queries: [
      { expression: `count(${scoped(info)})`, legend: 'keys' },
      { expression: `sum(${scoped(stale)})`, legend: 'stale' },
    ],
  }),
];

const changePanels = [
  table({
    title: 'Source address changed',
    description:
      'Keys that were used from another address than before, within the time range; the addresses are in the history.',
    width: 8,
    filledBy: 'key address changed',
    labels: keyColumns,
    values: [
      {
        title: 'Changes',
        expression: `round(${perKey(increaseInRange(sourceAddressChanges))}) > 0`,
        bands: { base: 'text', above: [[1, 'orange']] },
      },
    ],
    sortBy: 'Changes',
  }),
  table({
    title: 'Created',
    description: 'Keys created within the time range, the newest first.',
    width: 8,
    filledBy: 'key created',
    labels: keyColumns,
    values: [{ title: 'Age', expression: `${perKey(age(createdTimestamp))} < $__range_s`, unit: 's' }],
    sortBy: 'Age',
    ascending: true,
  }),
  table({
    title: 'Gone',
    description:
      'Keys that were there within the time range and are not any more, and for how long they had not been used.',
    width: 8,
    filledBy: 'key revoked',
    labels: keyColumns,
    values: [
      {
        title: 'Was idle for',
        expression: `max ${labelList('by', info, 'account', 'key_id', 'key_name')} (${goneIdle})`,
        unit: 's',
      },
    ],
    sortBy: 'Key',
    ascending: true,
  }),
];

export const apiKeyBoard: Board = {
  uid: 'dbpm-api-keys',
  title: 'DBPM / API keys',
  question: [
    '**Which API keys are dead, and which behave oddly?** A key that is not used is only a risk: revoke it. A key that is suddenly used from elsewhere may have leaked.',
    '',
    'The table is sorted by idle time; what happened lately is in the row at the bottom.',
  ].join('\n'),
  since: '24h',
  projects: 'none',
  sections: [
    { title: 'At a glance', panels: nowPanels },
    { title: 'Unused keys', panels: keyPanels },
    { title: 'What changed', isFolded: true, panels: changePanels },
  ],
};
