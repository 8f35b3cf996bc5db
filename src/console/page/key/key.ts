import type { BrowsedKeyUse } from '../../../history/usage/key-query.ts';
import { tabulate, withoutPersonal } from '../../../report/format/report.ts';
import { keyColumns } from '../../../report/key.ts';
import { type JudgedKey, judgeKeys, keyVerdicts } from '../../../report/key-verdict.ts';
import { idleSinceOf, isUseUndated } from '../../../resources/api-key.ts';
import { hourMs } from '../../../resources/duration.ts';
import { minOf } from '../../../resources/min-max.ts';
import { renderShard } from '../../../resources/shard.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-value.ts';
import type { ConsoleConfig } from '../../console-config.ts';
import { cutRows, type SortKey, sortText } from '../../keyset.ts';
import { refuseOther } from '../../offered-choice.ts';
import { definePage } from '../../page.ts';
import { curlOf } from '../../part/curl.ts';
import { readRows } from '../../report-row.ts';
import { drawKeys, headOfKeys, titleOfKeys } from './drawn-key.ts';
import { type KeyQuery, keyQuery, keysField } from './key-schema.ts';

/** Uses that are told of a key. */
const mostUses = 20;

/** API keys: which can be revoked, which to ask about first, and which are in use. */
export const keyPage = definePage({
  path: '/keys',
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
      const { rows, next_cursor } = cutRows(wanted, key => sortKeyOf(key, asked.sort, now), asked);
      const usesOf = ({ account, key_id }: JudgedKey) => keys.uses(account, key_id, mostUses);
      return {
        verdicts: countVerdicts(judged),
        read_at: readAtOf(judged),
        count: wanted.length,
        next_cursor,
        keys: writeKeys(rows, config, showsPersonal ? usesOf : undefined),
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
  const counts = keyVerdicts.map(wanted => [wanted, keys.filter(({ verdict }) => verdict === wanted).length]);
  return Object.fromEntries(counts) as Record<JudgedKey['verdict'], number>;
}

function readAtOf(keys: readonly JudgedKey[]): string | null {
  const read = keys.map(({ listed_at }) => listed_at).filter(at => at > 0);
  return read.length === 0 ? null : writeInstant(minOf(read));
}

/** Keys as the report has them, with what else the page says of each. */
function writeKeys(
  keys: readonly JudgedKey[],
  { accounts }: ConsoleConfig,
  usesOf: ((key: JudgedKey) => readonly BrowsedKeyUse[]) | undefined,
) {
  const table = tabulate(keyColumns, keys);
  const rows = readRows<typeof keyColumns>(usesOf === undefined ? withoutPersonal(table) : table);
  return keys.map((key, index) => {
    const { account, key_id, verdict, reason, gone_at } = key;
    const base_url = accounts.find(({ name }) => name === account)?.base_url ?? '$BASE_URL/';
    return {
      ...{ ...rows[index], account, key_id, verdict, reason },
      idle_since: writeMaybeInstant(idleSinceOf(key) ?? null),
      revoke: gone_at === null ? curlOf('DELETE', base_url, 'api_keys', key_id) : null,
      address_changes: key.source_address_changes,
      uses: usesOf?.(key).map(writeUse) ?? null,
    };
  });
}

function writeUse({ from_at, until_at, last_used_from_addr }: BrowsedKeyUse) {
  return { from: writeInstant(from_at), until: writeInstant(until_at), address: last_used_from_addr };
}

function isShown(key: JudgedKey, show: KeyQuery['show']): boolean {
  const { gone_at, isStale, last_used_at, verdict } = key;
  if (show === 'stale') return gone_at === null && isStale === true;
  if (show === 'never_used') return gone_at === null && last_used_at === null && !isUseUndated(key);
  return show === 'all' || verdict === show;
}

/** The value of each column as it is shown; null where it is not known, which is last. */
const sortValues: Readonly<
  Record<KeyQuery['sort'], (key: JudgedKey, idle: number | null) => readonly (string | number | null)[]>
> = {
  verdict: ({ verdict }, idle) => [
    keyVerdicts.length - keyVerdicts.indexOf(verdict),
    idle === null ? null : -idle,
  ],
  idle: (_, idle) => [idle],
  name: ({ key_name, key_id }) => [sortText(key_name ?? key_id)],
  account: ({ account }) => [account],
  created: ({ created_at }) => [created_at],
  last_used: ({ last_used_at }) => [last_used_at],
  changes: ({ source_address_changes }) => [source_address_changes],
};

function sortKeyOf(key: JudgedKey, sort: KeyQuery['sort'], now: number): SortKey {
  const sinceAt = idleSinceOf(key);
  // A cursor holds for an hour.
  const untilAt = key.gone_at ?? Math.floor(now / hourMs) * hourMs;
  const idle = sinceAt === undefined ? null : untilAt - sinceAt;
  return [...sortValues[sort](key, idle), key.account, sortText(key.key_id)];
}
