import type { Database } from 'better-sqlite3';
import type { StoredValue } from '../../resources/declared-field.ts';
import type { StoredRow } from '../column.ts';

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
