import type { Database } from 'better-sqlite3';
import type { ApiKey } from '../../resources/api-key.ts';
import type { PersonalDataMode } from '../../resources/personal-data.ts';
import { hashPrefix, SaltedHash } from './salted-hash.ts';

type Person = Pick<ApiKey, 'created_by_id' | 'created_by_name'>;

/** Remembers who created API keys as the configuration wants it. */
export class KeyPerson {
  readonly #mode: PersonalDataMode;
  readonly #database: Database;
  readonly #hash: SaltedHash;

  constructor(database: Database, mode: PersonalDataMode = 'plain') {
    this.#mode = mode;
    this.#database = database;
    this.#hash = new SaltedHash(database);
  }

  /** The form in which somebody is remembered: hashed without a name, as the id alone tells people apart. */
  remember({ created_by_id, created_by_name }: Person): Readonly<Record<keyof Person, string | null>> {
    const hashes = this.#mode === 'hashed' && created_by_id !== undefined;
    return {
      created_by_id: hashes
        ? this.#hash.of(created_by_id)
        : this.#mode === 'plain'
          ? (created_by_id ?? null)
          : null,
      created_by_name: this.#mode === 'plain' ? (created_by_name ?? null) : null,
    };
  }

  /** Rewrites what was remembered in another way; a hash stays one. To be called in a transaction. */
  convert(): void {
    if (this.#mode === 'plain') return;
    // The old form must not stay in the free parts of the file.
    this.#database.pragma('secure_delete = ON');
    this.#database
      .prepare('UPDATE api_key SET created_by_name = NULL WHERE created_by_name IS NOT NULL')
      .run();
    const ids = this.#database
      .prepare<[string], string>('SELECT DISTINCT created_by_id FROM api_key WHERE created_by_id NOT LIKE ?')
      .pluck()
      .all(this.#mode === 'hashed' ? `${hashPrefix}%` : '');
    const rewrite = this.#database.prepare<[string | null, string]>(
      'UPDATE api_key SET created_by_id = ? WHERE created_by_id = ?',
    );
    for (const created_by_id of ids)
      rewrite.run(this.remember({ created_by_id }).created_by_id, created_by_id);
  }
}
