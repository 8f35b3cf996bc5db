import type { Database } from 'better-sqlite3';
import type { ImplausibleValue } from '../../resources/implausible.ts';

/** So many values of a reading are told of; all are counted. */
const mostTold = 10;

/** Counts values that cannot be true and were held back; all calls happen inside the transaction of one reading. */
export class ImplausibleRecord {
  readonly #count;
  #noted: ImplausibleValue[] = [];

  constructor(database: Database) {
    this.#count = database.prepare<[number, string]>(
      `INSERT INTO implausible_value (account_ref, field, count) VALUES (?, ?, 1)
       ON CONFLICT DO UPDATE SET count = count + 1`,
    );
  }

  note(account_ref: number, value: ImplausibleValue): void {
    this.#count.run(account_ref, value.field);
    if (this.#noted.length < mostTold) this.#noted.push(value);
  }

  /** Values noted since this was last asked. */
  take(): readonly ImplausibleValue[] {
    return this.#noted.splice(0);
  }
}
