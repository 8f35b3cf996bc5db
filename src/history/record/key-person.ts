import type { Database } from 'better-sqlite3';
import type { ApiKey } from '../../resources/api-key.ts';
import type { PersonalDataMode } from '../../resources/personal-data.ts';
import { PersonalText } from './personal-text.ts';

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
