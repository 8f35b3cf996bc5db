import type { Database } from 'better-sqlite3';
import {
  type FieldTable,
  type FieldValues,
  namesOf,
  type StoredValue,
} from '../../resources/declared-field.ts';
import { asStored } from '../column.ts';

interface DatedValue {
  readonly from_at: number;
  readonly value: StoredValue;
}

/** Writes fields of a resource whose changes are remembered, where they change; all calls happen inside the transaction of one reading. */
export class FieldChangeRecord<Table extends FieldTable> {
  readonly #names;
  readonly #statements;

  /** @param resource its table, which has the changes in another one beside it. */
  constructor(database: Database, resource: 'project' | 'endpoint', fields: Table) {
    const [table, ref] = [`${resource}_change`, `${resource}_ref`];
    this.#names = namesOf(fields, ({ remembers }) => remembers === 'changes');
    this.#statements = {
      last: database.prepare<[number, string], DatedValue>(
        `SELECT from_at, value FROM ${table} WHERE ${ref} = ? AND field = ? ORDER BY from_at DESC LIMIT 1`,
      ),
      put: database.prepare<[number, string, number, StoredValue]>(
        `INSERT OR REPLACE INTO ${table} (${ref}, field, from_at, value) VALUES (?, ?, ?, ?)`,
      ),
    };
  }

  /** @param item as it was read: a field that was not sent is null from then on. */
  record(ref: number, item: FieldValues<Table>, servedAt: number): void {
    for (const name of this.#names) {
      const value = asStored(item[name]);
      const last = this.#statements.last.get(ref, name);
      if (value === (last?.value ?? null)) continue;
      // Never before what is known: the service's clock may have been set back.
      this.#statements.put.run(ref, name, Math.max(servedAt, last?.from_at ?? servedAt), value);
    }
  }
}
