import type { Database } from 'better-sqlite3';
import type { HasLostFields } from '../../resources/declared-field.ts';
import type { ImplausibleValue } from '../../resources/reading.ts';
import { statementsOf } from '../file/statement.ts';

/** Values of a reading that are told of at most; all are counted. */
const mostTold = 10;

/** Counts values that cannot be true and were held back; all calls happen inside the transaction of one reading. */
export class ImplausibleValues {
  readonly #count;
  #noted: ImplausibleValue[] = [];

  constructor(database: Database) {
    this.#count = statementsOf(database).run<[number, string]>`
      INSERT INTO implausible_value (account_ref, field, count) VALUES (?, ?, 1)
      ON CONFLICT DO UPDATE SET count = count + 1`;
  }

  note(account_ref: number, value: ImplausibleValue): void {
    this.#count(account_ref, value.field);
    if (this.#noted.length < mostTold) this.#noted.push(value);
  }

  /** Values noted since this was last asked. */
  take(): readonly ImplausibleValue[] {
    return this.#noted.splice(0);
  }
}

/** Counts optional fields that could not be used; all calls happen inside the transaction of one reading. */
export class LostFields {
  readonly #count;

  constructor(database: Database) {
    this.#count = statementsOf(database).run<[number, string, number]>`
      INSERT INTO lost_field (account_ref, field, count) VALUES (?, ?, ?)
      ON CONFLICT DO UPDATE SET count = count + excluded.count`;
  }

  note(account_ref: number, field: string, count: number): void {
    if (count > 0) this.#count(account_ref, field, count);
  }

  /** Notes what items of a reading have lost. */
  noteItems(account_ref: number, items: readonly HasLostFields[]): void {
    for (const { lostFields = [] } of items) for (const field of lostFields) this.note(account_ref, field, 1);
  }
}
