import type { Database } from 'better-sqlite3';
import type { PersonalDataMode } from '../../resources/personal-data.ts';
import { hashPrefix, SaltedHash } from './salted-hash.ts';

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
