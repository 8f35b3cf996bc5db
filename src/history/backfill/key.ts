import { apiKeyFamilies, idleSinceOf } from '../../resources/api-key.ts';
import type { BackfillPart } from '../../resources/backfill.ts';
import { compact } from '../../resources/field.ts';
import { apiKeyColumns, type StoredRow } from '../column.ts';
import { statementsOf } from '../file/statement.ts';
import { hasReadKeys } from '../history-source.ts';
import type { BrowsedKeyUse } from '../usage/key-query.ts';
import { type BackfillAccount, type BackfillSource, lifeOf, replay } from './source.ts';

/** Series of API keys; when a key was used before the first use that was seen is not known. */
export function backfillKeys(source: BackfillSource): readonly BackfillPart[] {
  const { database } = source;
  const sql = statementsOf(database);
  const keys = sql.all<[number], StoredRow>`SELECT * FROM api_key WHERE account_ref = ? ORDER BY key_ref`;
  const uses = sql.all<[number], BrowsedKeyUse>`SELECT * FROM key_use WHERE key_ref = ? ORDER BY from_at`;
  const readers = hasReadKeys(database) ? source.accounts : [];
  const everyKey = readers.flatMap(account => keys(account.account_ref).map(row => ({ account, row })));
  return [
    {
      metrics: Object.values(apiKeyFamilies).map(({ name }) => name),
      subjects: everyKey.map(
        ({ account, row }) =>
          () =>
            backfillKey(source, account, row, uses(Number(row.key_ref))),
      ),
    },
  ];
}

function backfillKey(
  { instants, staleAfterMs }: BackfillSource,
  { account }: BackfillAccount,
  row: StoredRow,
  uses: readonly BrowsedKeyUse[],
): Iterable<unknown> {
  const known = apiKeyColumns.read(row);
  const { last_used_at, key_name, created_at } = known;
  const key = { key_id: String(row.key_id), ...compact({ key_name, created_at }) };
  const moves = listMoves(uses);
  let sourceAddressChanges = Number(row.source_address_changes) - moves.length;
  let used: number | undefined;
  let idleSinceAt = last_used_at === undefined ? idleSinceOf(known) : undefined;
  let stale = idleSinceAt === undefined ? undefined : false;
  const seen = uses.flatMap(({ from_at, until_at }) => [from_at, until_at]);
  const idleFrom = [...seen, ...(idleSinceAt === undefined ? [] : [idleSinceAt])];
  const events = [
    ...seen.map(at => ({ at, kind: 'use' })),
    ...moves.map(at => ({ at, kind: 'move' })),
    // A key is stale once it is idle for longer, not for as long.
    ...idleFrom.map(at => ({ at: at + staleAfterMs + 1, kind: 'stale', idleSinceAt: at })),
  ].sort((one, other) => one.at - other.at);
  return replay(instants, lifeOf(row), events, {
    apply(event) {
      if (event.kind === 'move') sourceAddressChanges += 1;
      else if (event.kind === 'use') {
        used = event.at;
        idleSinceAt = event.at;
        stale = false;
      } else if ('idleSinceAt' in event && event.idleSinceAt === idleSinceAt) stale = true;
    },
    show() {
      const times = compact({ last_used_at: used, idleSinceAt, stale });
      return { ...key, account, sourceAddressChanges, ...times };
    },
  });
}

/** Instants at which a key was found to be used from another address than before. */
function listMoves(uses: readonly BrowsedKeyUse[]): readonly number[] {
  let address: string | null = null;
  return uses.flatMap(({ from_at, last_used_from_addr }) => {
    const isMove = address !== null && last_used_from_addr !== null && address !== last_used_from_addr;
    address = last_used_from_addr ?? address;
    return isMove ? [from_at] : [];
  });
}
