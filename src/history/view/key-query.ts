import type { Database } from 'better-sqlite3';
import type { ApiKey } from '../../resources/api-key.ts';
import type { Compact } from '../../resources/field.ts';
import { pickColumns, type StoredRow } from '../column.ts';

/** An API key as it was last listed, with the number of times it was used from another address than before. */
export type StoredKey = Compact<ApiKey> & { readonly sourceAddressChanges: number };

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
      ...pickColumns<ApiKey>(row, [
        'key_id',
        'key_name',
        'created_at',
        'last_used_at',
        'last_used_from_addr',
      ]),
      sourceAddressChanges: Number(row.source_address_changes),
    }));
  }
}
