import type { Database } from 'better-sqlite3';
import type { PersonalDataMode } from '../../resources/personal-data.ts';
import { PersonalText } from './personal-text.ts';

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
