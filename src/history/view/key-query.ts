import type { Database } from 'better-sqlite3';
import type { ApiKey } from '../../resources/api-key.ts';
import { apiKeyColumns, type StoredRow } from '../column.ts';

/** An API key as it was last listed, with the number of times it was used from another address than before. */
export type StoredKey = ApiKey & { readonly sourceAddressChanges: number };

/** Reads API keys back from the history, as they were last known. */
export class KeyQuery {
  readonly #keys;

  constructor(database: Database) {
    this.#keys = database.prepare<[number], StoredRow>(
      'SELECT * FROM api_key WHERE account_ref = ? AND gone_at IS NULL ORDER BY key_ref',
    );
  }

  /** The keys of an account that are not gone, in the order they were first seen. */
  keys(account_ref: number): readonly StoredKey[] {
    return this.#keys.all(account_ref).map(row => ({
      key_id: String(row.key_id),
      ...apiKeyColumns.read(row),
      sourceAddressChanges: Number(row.source_address_changes),
    }));
  }
}
