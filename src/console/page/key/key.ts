import type { BrowsedKeyUse, RememberedKey } from '../../../history/usage/key-query.ts';
import { hourMs } from '../../../resources/duration.ts';
import { renderShard } from '../../../resources/shard.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import { compareKeys, cutRows, type SortKey, sortText } from '../../keyset.ts';
import { refuseOther } from '../../offered-choice.ts';
import { definePage, type ReadContext } from '../../page.ts';
import { drawKeys } from './drawn-key.ts';
import { idleMs } from './key-idle.ts';
import { type KeyAnswer, keyQuery, type keySorts, keysField, type shownKinds } from './key-schema.ts';

/** Uses that are told of a key. */
const mostUses = 20;

/** API keys: how old, last used when, never used, stale, gone. */
export const keyPage = definePage({
  path: '/keys',
  apiPath: '/keys',
  title: 'API keys',
  summary: 'API keys: how old they are, when they were last used, and which nobody uses.',
  isListed: true,
  reads: ['api_keys'],
  words: ['stale_key', 'gone'],
  query: keyQuery,
  answer: keysField,
  read({ config, history }, asked, { now, showsPersonal }) {
    const { sort, account, show } = asked;
    const staleAfterMs = config.keys.staleAfterMs;
    const { shard } = config;
    const accounts = config.accounts.map(({ name }) => name);
    refuseOther('account', account, accounts);
    const found = history.look(({ keys }) => {
      const known = keys
        .list()
        .filter(key => account === '' || key.account === account)
        .map(key => writeKey(key, { now, showsPersonal, staleAfterMs }))
        .filter(key => isShown(key, show));
      const sortKeys = new Map<KeyAnswer, SortKey>(
        known.map(key => [key, [sortValue(key, sort, now), key.account, sortText(key.key_id)]]),
      );
      const keyOf = (key: KeyAnswer) => sortKeys.get(key) ?? [];
      const sorted = known.toSorted((a, b) => compareKeys(keyOf(a), keyOf(b), asked.order));
      const { rows, next_cursor } = cutRows(sorted, keyOf, asked);
      const usesOf = (key: KeyAnswer) =>
        showsPersonal ? keys.uses(key.account, key.key_id, mostUses).map(writeUse) : null;
      return { count: known.length, next_cursor, keys: rows.map(key => ({ ...key, uses: usesOf(key) })) };
    });
    return {
      accounts,
      stale_after_ms: staleAfterMs,
      shows_personal_data: showsPersonal,
      read_by_shard: shard === undefined || shard.index === 0 ? null : renderShard({ ...shard, index: 0 }),
      ...(found ?? { count: 0, next_cursor: null, keys: [] }),
    };
  },
  draw: drawKeys,
});

interface KeyTerms extends Pick<ReadContext, 'now' | 'showsPersonal'> {
  readonly staleAfterMs: number;
}

/** A key without its uses. */
function writeKey(key: RememberedKey, { now, showsPersonal, staleAfterMs }: KeyTerms): KeyAnswer {
  const idleSinceAt = key.last_used_at ?? key.created_at;
  const endAt = key.gone_at ?? now;
  return {
    account: key.account,
    key_id: key.key_id,
    key_name: key.key_name,
    created_at: writeMaybeInstant(key.created_at),
    last_used_at: writeMaybeInstant(key.last_used_at),
    idle_since: writeMaybeInstant(idleSinceAt),
    stale: idleSinceAt === null ? null : endAt - idleSinceAt > staleAfterMs,
    gone_at: writeMaybeInstant(key.gone_at),
    address_changes: key.source_address_changes,
    last_used_from_addr: showsPersonal ? key.last_used_from_addr : null,
    created_by: showsPersonal ? (key.created_by_name ?? key.created_by_id) : null,
    uses: null,
  };
}

function writeUse({ from_at, until_at, last_used_from_addr }: BrowsedKeyUse) {
  return { from: writeInstant(from_at), until: writeInstant(until_at), address: last_used_from_addr };
}

function isShown(key: KeyAnswer, show: (typeof shownKinds)[number]): boolean {
  if (show === 'gone') return key.gone_at !== null;
  if (key.gone_at !== null) return show === 'all';
  if (show === 'stale') return key.stale === true;
  return show === 'all' || key.last_used_at === null;
}

/** The value of the column as it is shown; null where it is not known, which is last. */
function sortValue(key: KeyAnswer, sort: (typeof keySorts)[number], now: number): string | number | null {
  switch (sort) {
    case 'idle':
      // A cursor holds for as long as somebody turns pages.
      return idleMs(key, Math.floor(now / hourMs) * hourMs);
    case 'name':
      return sortText(key.key_name ?? key.key_id);
    case 'account':
      return key.account;
    case 'created':
      return key.created_at;
    case 'last_used':
      return key.last_used_at;
    case 'changes':
      return key.address_changes;
  }
}
