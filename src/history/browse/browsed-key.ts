import type { Database } from 'better-sqlite3';
import { hasReadKeys } from '../record/shard-record.ts';
import type { RememberedKey } from '../usage/remembered-key.ts';
import { readKeys } from '../usage/remembered-key.ts';

/** Uses of a key from one address, one after the other, as far as they were seen; epoch milliseconds. */
export interface KeyUse {
  readonly from_at: number;
  readonly until_at: number;
  readonly last_used_from_addr: string | null;
}

/** Reads the API keys of all accounts. */
export class BrowsedKeys {
  readonly #database: Database;
  readonly #uses;

  constructor(database: Database) {
    this.#database = database;
    this.#uses = database.prepare<[string, string, number], KeyUse>(
      `SELECT from_at, until_at, key_use.last_used_from_addr FROM key_use
       JOIN api_key USING (key_ref) JOIN account USING (account_ref)
       WHERE account = ? AND key_id = ? ORDER BY from_at DESC LIMIT ?`,
    );
  }

  /** All keys that were ever listed; none in the history of a shard that does not read them. */
  list(): readonly RememberedKey[] {
    return hasReadKeys(this.#database) ? readKeys(this.#database) : [];
  }

  /** Uses of a key, the newest first. */
  uses(account: string, key_id: string, most: number): readonly KeyUse[] {
    return this.#uses.all(account, key_id, most);
  }
}
