import { createHmac } from 'node:crypto';
import type { Database } from 'better-sqlite3';
import type { ApiKey } from '../../resources/api-key.ts';
import type { PersonalDataMode } from '../../resources/personal-data.ts';

/** Remembers personal data of one kind as the configuration wants it. */
export class PersonalText {
  readonly mode: PersonalDataMode;
  readonly #database: Database;
  readonly #hash: SaltedHash;

  constructor(database: Database, mode: PersonalDataMode = 'plain') {
    this.mode = mode;
    this.#database = database;
    this.#hash = new SaltedHash(database);
  }

  /** The form in which a text is remembered; undefined where it is not. */
  remember(text: string | undefined): string | undefined {
    if (text === undefined || this.mode === 'plain') return text;
    return this.mode === 'hashed' ? this.#hash.of(text) : undefined;
  }

  /** Whether what was remembered is this text, as it is or as it was hashed before. */
  isSame(remembered: string, text: string): boolean {
    return remembered === text || remembered === this.#hash.of(text);
  }

  /** Rewrites a column in which texts were remembered in another way; a hash stays one. To be called in a transaction. */
  convert(table: string, column: string): void {
    if (this.mode === 'plain') return;
    // The old form must not stay in the free parts of the file.
    this.#database.pragma('secure_delete = ON');
    const texts = this.#database
      .prepare<[string], string>(`SELECT DISTINCT ${column} FROM ${table} WHERE ${column} NOT LIKE ?`)
      .pluck()
      .all(this.mode === 'hashed' ? `${hashPrefix}%` : '');
    const rewrite = this.#database.prepare<[string | null, string]>(
      `UPDATE ${table} SET ${column} = ? WHERE ${column} = ?`,
    );
    for (const text of texts) rewrite.run(this.remember(text) ?? null, text);
  }
}

/** Begins every hash, so that nobody takes one for what it is of. */
export const hashPrefix = 'hashed:';
const hashDigits = 16;

/** Hashes personal data with the salt of a history. */
export class SaltedHash {
  readonly #salt: string;

  constructor(database: Database) {
    this.#salt = database.prepare<[], string>('SELECT salt FROM source_salt').pluck().get() ?? '';
  }

  /** The hash of a text; of a hash, itself. */
  of(text: string): string {
    if (text.startsWith(hashPrefix)) return text;
    return hashPrefix + createHmac('sha256', this.#salt).update(text).digest('hex').slice(0, hashDigits);
  }
}

type Person = Pick<ApiKey, 'created_by_id' | 'created_by_name'>;

/** Remembers who created API keys as the configuration wants it. */
export class KeyPerson {
  readonly #database: Database;
  readonly #text: PersonalText;

  constructor(database: Database, mode?: PersonalDataMode) {
    this.#database = database;
    this.#text = new PersonalText(database, mode);
  }

  /** The form in which somebody is remembered: hashed without a name, as the id alone tells people apart. */
  remember({ created_by_id, created_by_name }: Person): Readonly<Record<keyof Person, string | null>> {
    const isNamed = this.#text.mode === 'plain';
    return {
      created_by_id: this.#text.remember(created_by_id) ?? null,
      created_by_name: isNamed ? (created_by_name ?? null) : null,
    };
  }

  /** Rewrites what was remembered in another way; a hash stays one. To be called in a transaction. */
  convert(): void {
    this.#text.convert('api_key', 'created_by_id');
    if (this.#text.mode === 'plain') return;
    this.#database
      .prepare('UPDATE api_key SET created_by_name = NULL WHERE created_by_name IS NOT NULL')
      .run();
  }
}

/** Remembers addresses that API keys were used from as the configuration wants them. */
export class SourceAddress {
  readonly #text: PersonalText;

  constructor(database: Database, mode?: PersonalDataMode) {
    this.#text = new PersonalText(database, mode);
  }

  /** The form in which an address is remembered; undefined where it is not. */
  remember(address: string | undefined): string | undefined {
    return this.#text.remember(address);
  }

  /** Whether what was remembered is this address, as it is or as it was hashed before. */
  isSame(remembered: string, address: string): boolean {
    return this.#text.isSame(remembered, address);
  }

  /** Rewrites what was remembered in another way; a hash stays one. To be called in a transaction. */
  convert(): void {
    for (const table of ['api_key', 'key_use']) this.#text.convert(table, 'last_used_from_addr');
  }
}
