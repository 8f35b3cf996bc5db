import type { Database } from 'better-sqlite3';
import {
  type FieldTable,
  type FieldValues,
  namesOf,
  type StoredValue,
} from '../../resources/declared-field.ts';
import type { AnyProjectPart } from '../../resources/project-part.ts';
import type { ListReading } from '../../resources/reading.ts';
import { asStored, FieldColumns, type StoredRow } from '../column.ts';

/** The table of a resource. */
interface ListedTable {
  readonly table: string;
  /** The column that says of what the list is. */
  readonly within: 'account_ref' | 'project_ref';
  /** The column with the identity of an item in its list. */
  readonly id: string;
  /** The columns that are written. */
  readonly columns: readonly string[];
  /** The column by which other tables know an item; absent where none does: what is gone is then forgotten. */
  readonly ref?: string;
}

/** An item as the service lists it. */
interface ListedItem {
  readonly within: number;
  readonly id: string;
  readonly row: StoredRow;
  readonly servedAt: number;
}

/** Writes what lists say of the items of one resource: new, changed, back or gone. All calls happen inside the transaction of one reading. */
export class ListedRecord {
  readonly #table: ListedTable;
  readonly #statements;

  constructor(database: Database, table: ListedTable) {
    this.#table = table;
    this.#statements = prepare(database, table);
  }

  /** The columns of an item, whether or not it is gone, with its number and when it was first seen and gone. */
  find(within: number, id: string): StoredRow | undefined {
    return this.#statements.find.get(within, id);
  }

  /**
   * Writes an item that a list holds, unless it is recorded exactly so already.
   *
   * @param before what `find` gave.
   * @returns its number; 0 where it has none.
   */
  put({ within, id, row, servedAt }: ListedItem, before: StoredRow | undefined): number {
    if (before !== undefined && this.#isSame(row, before)) return this.#refOf(before);
    const { columns } = this.#table;
    const values: StoredValue[] = columns.map(column => row[column] ?? null);
    if (before !== undefined) {
      this.#statements.update.run(...values, servedAt, within, id);
      return this.#refOf(before);
    }
    const { lastInsertRowid } = this.#statements.insert.run(...values, servedAt, within, id);
    return this.#table.ref === undefined ? 0 : Number(lastInsertRowid);
  }

  /** Writes that what a complete list does not hold is gone; a partial one says that of nothing. */
  leave(within: number, listed: ReadonlySet<string>, { complete, servedAt }: ListEnd): void {
    if (!complete) return;
    for (const id of this.#statements.present.all(within)) {
      if (!listed.has(id)) this.#statements.leave.run({ within, id, servedAt });
    }
  }

  #isSame(row: StoredRow, before: StoredRow): boolean {
    const isThere = before.gone_at === null && before.first_seen_at !== null;
    return isThere && this.#table.columns.every(column => (row[column] ?? null) === before[column]);
  }

  #refOf(before: StoredRow): number {
    return this.#table.ref === undefined ? 0 : Number(before[this.#table.ref]);
  }
}

interface ListEnd {
  readonly complete: boolean;
  readonly servedAt: number;
}

function prepare(database: Database, { table, within, id, columns, ref }: ListedTable) {
  const isItem = `${within} = ? AND ${id} = ?`;
  const isLeft = `${within} = @within AND ${id} = @id`;
  const [isPresent, comesBack] = ref === undefined ? ['', ''] : [' AND gone_at IS NULL', ', gone_at = NULL'];
  return {
    find: database.prepare<[number, string], StoredRow>(
      `SELECT ${ref === undefined ? 'NULL AS gone_at' : `gone_at, ${ref}`}, first_seen_at, ${columns.join(', ')}
       FROM ${table} WHERE ${isItem}`,
    ),
    insert: database.prepare<StoredValue[]>(
      `INSERT INTO ${table} (${[...columns, 'first_seen_at', within, id].join(', ')})
       VALUES (${'?, '.repeat(columns.length)}?, ?, ?)`,
    ),
    update: database.prepare<StoredValue[]>(
      `UPDATE ${table} SET ${columns.map(column => `${column} = ?, `).join('')}
         first_seen_at = coalesce(first_seen_at, ?)${comesBack} WHERE ${isItem}`,
    ),
    present: database
      .prepare<[number], string>(
        `SELECT ${id} FROM ${table} WHERE ${within} = ? AND first_seen_at IS NOT NULL${isPresent}`,
      )
      .pluck(),
    leave: database.prepare<[Readonly<{ within: number; id: string; servedAt: number }>]>(
      ref === undefined
        ? `DELETE FROM ${table} WHERE ${isLeft}`
        : `UPDATE ${table} SET gone_at = @servedAt WHERE ${isLeft}`,
    ),
  };
}

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

/** Writes lists that projects have of a resource; all calls happen inside the transaction of one reading. */
export class PartRecord {
  readonly #part: AnyProjectPart;
  readonly #columns: FieldColumns<AnyProjectPart['item']['fields']>;
  readonly #items: ListedRecord;
  readonly #served;

  constructor(database: Database, part: AnyProjectPart) {
    const { table, item, derived } = part;
    this.#part = part;
    this.#columns = new FieldColumns(item.fields);
    const columns = [...this.#columns.columns, ...derived];
    this.#items = new ListedRecord(database, { table, within: 'project_ref', id: item.id, columns });
    this.#served = database.prepare<[number, string, number]>(
      `INSERT INTO part_listing (project_ref, collector, served_at) VALUES (?, ?, ?)
       ON CONFLICT DO UPDATE SET served_at = excluded.served_at`,
    );
  }

  recordList(project_ref: number, { items, complete }: ListReading<object>, servedAt: number): void {
    const { list, collector } = this.#part;
    const listed = new Set<string>();
    for (const item of items) {
      const id = list.identify(item);
      const before = this.#items.find(project_ref, id);
      const row = { ...this.#columns.write(item), ...this.#part.derive(item, before, servedAt) };
      this.#items.put({ within: project_ref, id, row, servedAt }, before);
      listed.add(id);
    }
    this.#items.leave(project_ref, listed, { complete, servedAt });
    this.#served.run(project_ref, collector, servedAt);
  }
}
