import { createHmac } from 'node:crypto';
import type { Database } from 'better-sqlite3';

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
