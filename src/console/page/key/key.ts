import type { BrowsedKeyUse } from '../../../history/usage/key-query.ts';
import { type JudgedKey, judgeKeys, keyVerdicts } from '../../../report/key-verdict.ts';
import { hourMs } from '../../../resources/duration.ts';
import { smallest } from '../../../resources/extreme.ts';
import { renderShard } from '../../../resources/shard.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { compareKeys, cutRows, type SortKey, sortText } from '../../keyset.ts';
import { refuseOther } from '../../offered-choice.ts';
import { definePage } from '../../page.ts';
import { curlOf } from '../../part/curl.ts';
import { drawKeys, headOfKeys, titleOfKeys } from './drawn-key.ts';
import { type KeyAnswer, keyQuery, type keySorts, keysField, type shownKinds } from './key-schema.ts';

/** Uses that are told of a key. */
const mostUses = 20;

/** API keys: which can be revoked, which to ask about first, and which are in use. */
export const keyPage = definePage({
  path: '/keys',
  apiPath: '/keys',
  title: 'API keys',
  summary:
    'API keys: which can be revoked, which to ask about first, and which are in use, each with its reason.',
  isListed: true,
  count: ({ live }) => ({
    number: live.overviews.flatMap(({ summary }) => summary.api_keys.filter(({ stale }) => stale)).length,
    what: 'stale',
    isUrgent: false,
  }),
  reads: ['api_keys'],
  words: ['stale_key', 'gone'],
  query: keyQuery,
  answer: keysField,
  read({ config, history }, asked, { now, showsPersonal }) {
    const { account, show } = asked;
    const { staleAfterMs } = config.keys;
    const { shard } = config;
    const accounts = config.accounts.map(({ name }) => name);
    refuseOther('account', account, accounts);
    const found = history.look(({ keys }) => {
      const known = keys.list().filter(key => account === '' || key.account === account);
      const judged = judgeKeys(known, { at: now, staleAfterMs });
      const wanted = judged.filter(key => isShown(key, show));
      const sortKeys = new Map(wanted.map(key => [key, sortKeyOf(key, asked.sort, now)]));
      const keyOf = (key: JudgedKey) => sortKeys.get(key) ?? [];
      const sorted = wanted.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b), asked.order));
      const { rows, next_cursor } = cutRows(sorted, keyOf, asked);
      const usesOf = (key: JudgedKey) =>
        showsPersonal ? keys.uses(key.account, key.key_id, mostUses).map(writeUse) : null;
      return {
        verdicts: countVerdicts(judged),
        read_at: readAtOf(judged),
        count: wanted.length,
        next_cursor,
        keys: rows.map(key => ({ ...writeKey(key, config, showsPersonal), uses: usesOf(key) })),
      };
    });
    const none = { verdicts: countVerdicts([]), read_at: null, count: 0, next_cursor: null, keys: [] };
    return {
      accounts,
      stale_after_ms: staleAfterMs,
      shows_personal_data: showsPersonal,
      read_by_shard: shard === undefined || shard.index === 0 ? null : renderShard({ ...shard, index: 0 }),
      ...(found ?? none),
    };
  },
  titleOf: titleOfKeys,
  head: headOfKeys,
  draw: drawKeys,
});

function countVerdicts(keys: readonly JudgedKey[]) {
  const count = (wanted: JudgedKey['verdict']) => keys.filter(({ verdict }) => verdict === wanted).length;
  return {
    safe_to_revoke: count('safe_to_revoke'),
    ask_first: count('ask_first'),
    in_use: count('in_use'),
    gone: count('gone'),
  };
}

function readAtOf(keys: readonly JudgedKey[]): string | null {
  const read = keys.map(({ listed_at }) => listed_at).filter(at => at > 0);
  return read.length === 0 ? null : writeInstant(smallest(read));
}

/** A key without its uses. */
function writeKey(key: JudgedKey, { accounts }: ConsoleConfig, showsPersonal: boolean): KeyAnswer {
  const { account, key_id, key_name, verdict, reason, gone_at } = key;
  const base_url = accounts.find(({ name }) => name === account)?.base_url ?? '$BASE_URL/';
  return {
    ...{ account, key_id, key_name, verdict, reason },
    created_at: writeMaybeInstant(key.created_at),
    last_used_at: writeMaybeInstant(key.last_used_at),
    idle_since: writeMaybeInstant(key.last_used_at ?? key.created_at),
    stale: key.isStale ?? null,
    gone_at: writeMaybeInstant(gone_at),
    is_own: key.isOwn ?? null,
    revoke: gone_at === null ? curlOf('DELETE', base_url, 'api_keys', key_id) : null,
    address_changes: key.source_address_changes,
    last_used_from_addr: showsPersonal ? key.last_used_from_addr : null,
    created_by: showsPersonal ? (key.created_by_name ?? key.created_by_id) : null,
    uses: null,
  };
}

function writeUse({ from_at, until_at, last_used_from_addr }: BrowsedKeyUse) {
  return { from: writeInstant(from_at), until: writeInstant(until_at), address: last_used_from_addr };
}

function isShown(key: JudgedKey, show: (typeof shownKinds)[number]): boolean {
  switch (show) {
    case 'all':
      return true;
    case 'stale':
      return key.gone_at === null && key.isStale === true;
    case 'never_used':
      return key.gone_at === null && key.last_used_at === null;
    default:
      return key.verdict === show;
  }
}

function sortKeyOf(key: JudgedKey, sort: (typeof keySorts)[number], now: number): SortKey {
  const least = [key.account, sortText(key.key_id)] as const;
  // A cursor holds for as long as somebody turns pages.
  const idle = idleAt(key, Math.floor(now / hourMs) * hourMs);
  if (sort !== 'verdict') return [sort === 'idle' ? idle : sortValue(key, sort), ...least];
  return [keyVerdicts.length - keyVerdicts.indexOf(key.verdict), idle === null ? null : -idle, ...least];
}

function idleAt({ created_at, last_used_at, gone_at }: JudgedKey, at: number): number | null {
  const sinceAt = last_used_at ?? created_at;
  return sinceAt === null ? null : (gone_at ?? at) - sinceAt;
}

/** The value of the column as it is shown; null where it is not known, which is last. */
function sortValue(
  key: JudgedKey,
  sort: Exclude<(typeof keySorts)[number], 'verdict' | 'idle'>,
): string | number | null {
  switch (sort) {
    case 'name':
      return sortText(key.key_name ?? key.key_id);
    case 'account':
      return key.account;
    case 'created':
      return key.created_at;
    case 'last_used':
      return key.last_used_at;
    case 'changes':
      return key.source_address_changes;
  }
}
