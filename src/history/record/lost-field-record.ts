import type { Database } from 'better-sqlite3';
import type { HasLostFields } from '../../resources/declared-field.ts';

/** Counts optional fields that could not be used; all calls happen inside the transaction of one reading. */
export class LostFieldRecord {
  readonly #count;

  constructor(database: Database) {
    this.#count = database.prepare<[number, string, number]>(
      `INSERT INTO lost_field (account_ref, field, count) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET count = count + excluded.count`,
    );
  }

  note(account_ref: number, fields: readonly string[]): void {
    for (const field of fields) this.noteCount(account_ref, field, 1);
  }

  noteCount(account_ref: number, field: string, count: number): void {
    if (count > 0) this.#count.run(account_ref, field, count);
  }

  /** Notes what items of a reading have lost. */
  noteItems(account_ref: number, items: readonly HasLostFields[]): void {
    for (const { lostFields } of items) if (lostFields !== undefined) this.note(account_ref, lostFields);
  }
}
