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
}

/** All keys that were ever listed. */
export function readKeys(database: Database): readonly RememberedKey[] {
  return database
    .prepare<[], RememberedKey>(
      `SELECT account, key_id, key_name, created_at, last_used_at, last_used_from_addr,
         source_address_changes, created_by_id, created_by_name, gone_at
       FROM api_key JOIN account USING (account_ref) ORDER BY key_ref`,
    )
    .all();
}
