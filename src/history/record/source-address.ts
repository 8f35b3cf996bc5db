import type { Database } from 'better-sqlite3';
import type { PersonalDataMode } from '../../resources/personal-data.ts';
import { hashPrefix, SaltedHash } from './salted-hash.ts';

/** Remembers addresses that API keys were used from as the configuration wants them. */
export class SourceAddress {
  readonly #mode: PersonalDataMode;
  readonly #database: Database;
  readonly #hash: SaltedHash;

  constructor(database: Database, mode: PersonalDataMode = 'plain') {
    this.#mode = mode;
    this.#database = database;
    this.#hash = new SaltedHash(database);
  }

  /** The form in which an address is remembered; undefined where it is not. */
  remember(address: string | undefined): string | undefined {
    if (address === undefined || this.#mode === 'plain') return address;
    return this.#mode === 'hashed' ? this.#hash.of(address) : undefined;
  }

  /** Whether what was remembered is this address, as it is or as it was hashed before. */
  isSame(remembered: string, address: string): boolean {
    return remembered === address || remembered === this.#hash.of(address);
  }

  /** Rewrites what was remembered in another way; a hash stays one. To be called in a transaction. */
  convert(): void {
    if (this.#mode === 'plain') return;
    // The old form must not stay in the free parts of the file.
    this.#database.pragma('secure_delete = ON');
    for (const table of ['api_key', 'key_use']) {
      const addresses = this.#database
        .prepare<[string], string>(
          `SELECT DISTINCT last_used_from_addr FROM ${table} WHERE last_used_from_addr NOT LIKE ?`,
        )
        .pluck()
        .all(this.#mode === 'hashed' ? `${hashPrefix}%` : '');
      const rewrite = this.#database.prepare<[string | null, string]>(
        `UPDATE ${table} SET last_used_from_addr = ? WHERE last_used_from_addr = ?`,
      );
      for (const address of addresses) rewrite.run(this.remember(address) ?? null, address);
    }
  }
}
