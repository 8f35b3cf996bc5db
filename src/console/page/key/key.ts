import type { RememberedKey } from '../../../history/usage/remembered-key.ts';
import { writeInstant, writeMaybeInstant } from '../../answer-field.ts';
import { definePage, type ReadContext } from '../../page.ts';
import { drawKeys } from './drawn-key.ts';
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
  words: ['stale_key', 'gone'],
  query: keyQuery,
  answer: keysField,
  read({ config, history }, { sort, order, account, show }, context) {
    const staleAfterMs = config.keys.staleAfterMs;
    const keys = history.look(({ keys }) =>
      keys
        .list()
        .filter(key => account === '' || key.account === account)
        .map(key => {
          const uses = keys.uses(key.account, key.key_id, mostUses);
          return writeKey(key, uses, { ...context, staleAfterMs });
        }),
    );
    const sign = order === 'asc' ? 1 : -1;
    return {
      accounts: config.accounts.map(({ name }) => name),
      stale_after_ms: staleAfterMs,
      shows_personal_data: context.showsPersonal,
      keys: (keys ?? [])
        .filter(key => isShown(key, show))
        .sort((a, b) => sign * compareKeys(a, b, sort) || (a.key_id < b.key_id ? -1 : 1)),
    };
  },
  draw: drawKeys,
});

function writeKey(
  key: RememberedKey,
  uses: readonly {
    readonly from_at: number;
    readonly until_at: number;
    readonly last_used_from_addr: string | null;
  }[],
  { now, showsPersonal, staleAfterMs }: ReadContext & { readonly staleAfterMs: number },
): KeyAnswer {
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
    uses: showsPersonal
      ? uses.map(({ from_at, until_at, last_used_from_addr }) => ({
          from: writeInstant(from_at),
          until: writeInstant(until_at),
          address: last_used_from_addr,
        }))
      : null,
  };
}

function isShown(key: KeyAnswer, show: (typeof shownKinds)[number]): boolean {
  if (show === 'gone') return key.gone_at !== null;
  if (key.gone_at !== null) return show === 'all';
  if (show === 'stale') return key.stale === true;
  return show === 'all' || key.last_used_at === null;
}

function compareKeys(a: KeyAnswer, b: KeyAnswer, sort: (typeof keySorts)[number]): number {
  const compare = (left: string | null, right: string | null) =>
    left === right ? 0 : (left ?? '') < (right ?? '') ? -1 : 1;
  switch (sort) {
    case 'idle':
      return compare(b.idle_since, a.idle_since);
    case 'name':
      return compare(a.key_name, b.key_name);
    case 'account':
      return compare(a.account, b.account);
    case 'created':
      return compare(a.created_at, b.created_at);
    case 'last_used':
      return compare(a.last_used_at, b.last_used_at);
    case 'changes':
      return a.address_changes - b.address_changes;
  }
}
