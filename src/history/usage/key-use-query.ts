import type { Database } from 'better-sqlite3';

/** A stretch in which an API key was used from one address, as far as it was seen; epoch milliseconds. */
export interface KeyUse {
  readonly account: string;
  readonly key_id: string;
  readonly key_name: string | null;
  readonly created_at: number | null;
  readonly gone_at: number | null;
  readonly fromAt: number;
  readonly untilAt: number;
  readonly last_used_from_addr: string | null;
  readonly created_by_id: string | null;
  readonly created_by_name: string | null;
}

/** Reads when API keys were used. */
export class KeyUseQuery {
  readonly #uses;

  constructor(database: Database) {
    this.#uses = database.prepare<[string, number, number], KeyUse>(
      `SELECT account, key_id, key_name, created_at, gone_at, from_at AS fromAt, until_at AS untilAt,
         key_use.last_used_from_addr AS last_used_from_addr, created_by_id, created_by_name
       FROM key_use JOIN api_key USING (key_ref) JOIN account USING (account_ref)
       WHERE account = ? AND until_at >= ? AND from_at < ? ORDER BY key_ref, from_at`,
    );
  }

  /** Uses of an account's keys that share some time with a stretch, by key and in order of time. */
  read(account: string, fromAt: number, untilAt: number): readonly KeyUse[] {
    return this.#uses.all(account, fromAt, untilAt);
  }
}
