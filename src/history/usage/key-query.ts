import type { Database } from 'better-sqlite3';
import type { Span } from '../../resources/duration.ts';
import { statementsOf } from '../file/statement.ts';
import { hasReadKeys } from '../history-source.ts';

/** A stretch in which an API key was used from one address, as far as it was seen; epoch milliseconds. */
export type KeyUse = Span & Omit<RememberedKey, 'last_used_at' | 'source_address_changes' | 'listed_at'>;

/** Reads the uses of an account's keys that share some time with a stretch, by key and in order of time. */
export function keyUsesOf(database: Database) {
  return statementsOf(database).all<[Span & { readonly account: string }], KeyUse>`
    SELECT account, key_id, key_name, created_at, gone_at, from_at AS fromAt, until_at AS untilAt,
      key_use.last_used_from_addr AS last_used_from_addr, created_by_id, created_by_name
    FROM key_use JOIN api_key USING (key_ref) JOIN account USING (account_ref)
    WHERE account = @account AND until_at >= @fromAt AND from_at < @untilAt ORDER BY key_ref, from_at`;
}

/** An API key as it was last listed, never its value. Instants in epoch milliseconds by the service's clock. */
export interface RememberedKey {
  readonly account: string;
  readonly key_id: string;
  readonly key_name: string | null;
  readonly created_at: number | null;
  readonly last_used_at: number | null;
  readonly last_used_from_addr: string | null;
  /** How many times it was used from another address than before. */
  readonly source_address_changes: number;
  /** Who created it, as is configured; absent where the service does not say. */
  readonly created_by_id: string | null;
  readonly created_by_name: string | null;
  readonly gone_at: number | null;
  /** When the keys of its account were last listed, by this host's clock; 0 where that is not known. */
  readonly listed_at: number;
}

/** All keys that were ever listed. */
export function readKeys(database: Database): readonly RememberedKey[] {
  return statementsOf(database).all<[], RememberedKey>`
    SELECT account, key_id, key_name, created_at, last_used_at, last_used_from_addr,
      source_address_changes, created_by_id, created_by_name, gone_at,
      coalesce(last_success_at, 0) AS listed_at
    FROM api_key JOIN account USING (account_ref)
      LEFT JOIN collector ON collector.account_ref = account.account_ref AND collector = 'api_keys'
    ORDER BY key_ref`();
}

/** Uses of a key from one address, one after the other, as far as they were seen; epoch milliseconds. */
export interface BrowsedKeyUse {
  readonly from_at: number;
  readonly until_at: number;
  readonly last_used_from_addr: string | null;
}

/** Reads the API keys of all accounts. */
export function browsedKeys(database: Database) {
  return {
    /** All keys that were ever listed; none in the history of a shard that does not read them. */
    list: (): readonly RememberedKey[] => (hasReadKeys(database) ? readKeys(database) : []),
    /** Uses of a key, the newest first. */
    uses: statementsOf(database).all<[account: string, key_id: string, most: number], BrowsedKeyUse>`
      SELECT from_at, until_at, key_use.last_used_from_addr FROM key_use
      JOIN api_key USING (key_ref) JOIN account USING (account_ref)
      WHERE account = ? AND key_id = ? ORDER BY from_at DESC LIMIT ?`,
  };
}
