import type { Database } from 'better-sqlite3';

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
  return database
    .prepare<[], RememberedKey>(
      `SELECT account, key_id, key_name, created_at, last_used_at, last_used_from_addr,
         source_address_changes, created_by_id, created_by_name, gone_at,
         coalesce(last_success_at, 0) AS listed_at
       FROM api_key JOIN account USING (account_ref)
         LEFT JOIN collector ON collector.account_ref = account.account_ref AND collector = 'api_keys'
       ORDER BY key_ref`,
    )
    .all();
}
