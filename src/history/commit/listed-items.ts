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
import { statementsOf } from '../file/statement.ts';

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

/** An item of a list beside what is known of it. */
interface ItemDiff<Item> {
  readonly item: Item;
  readonly id: string;
  /** Its columns by the list. */
  readonly row: StoredRow;
  /** Its columns as they are known, with its number and when it was first seen and gone; undefined for one that is new. */
  readonly before: StoredRow | undefined;
  readonly isChanged: boolean;
}

/** A list against what is known: what is new, changed, back or gone. */
export interface ListDiff<Item> {
  readonly within: number;
  readonly servedAt: number;
  readonly items: readonly ItemDiff<Item>[];
  /** Ids that a complete list does not hold any more; a partial one says that of nothing. */
  readonly gone: readonly string[];
}

/** How an item of a list is written down. */
interface ItemWriting<Item> {
  readonly identify: (item: Item) => string;
  readonly write: (item: Item, before: StoredRow | undefined) => StoredRow;
}

/** The items of one resource as lists tell of them. All calls happen inside the transaction of one reading. */
export class ListedItems {
  readonly #table: ListedTable;
  readonly #statements;

  constructor(database: Database, table: ListedTable) {
    this.#table = table;
    this.#statements = prepare(database, table);
  }

  diff<Item>(
    within: number,
    { items, complete }: Pick<ListReading<Item>, 'items' | 'complete'>,
    servedAt: number,
    { identify, write }: ItemWriting<Item>,
  ): ListDiff<Item> {
    // Of an id that repeats, the last item counts.
    const listed = new Map(items.map(item => [identify(item), item]));
    return {
      ...{ within, servedAt },
      items: Array.from(listed, ([id, item]) => {
        const before = this.#statements.find(within, id);
        const row = write(item, before);
        return { item, id, row, before, isChanged: before === undefined || !this.#isSame(row, before) };
      }),
      gone: complete ? this.#statements.present(within).filter(id => !listed.has(id)) : [],
    };
  }

  /** @returns the numbers of the items in their order, 0 where they have none. */
  commit({ within, servedAt, items, gone }: ListDiff<unknown>): readonly number[] {
    const { columns, ref } = this.#table;
    const refs = items.map(({ id, row, before, isChanged }) => {
      const values = [...columns.map(column => row[column] ?? null), servedAt, within, id];
      if (before === undefined) return Number(this.#statements.insert(...values).lastInsertRowid);
      if (isChanged) this.#statements.update(...values);
      return ref === undefined ? 0 : Number(before[ref]);
    });
    for (const id of gone) this.#statements.leave({ within, id, servedAt });
    return refs;
  }

  #isSame(row: StoredRow, before: StoredRow): boolean {
    const isThere = before.gone_at === null && before.first_seen_at !== null;
    return isThere && this.#table.columns.every(column => (row[column] ?? null) === before[column]);
  }
}

function prepare(database: Database, { table, within, id, columns, ref }: ListedTable) {
  const sql = statementsOf(database);
  const isItem = `${within} = ? AND ${id} = ?`;
  const isLeft = `${within} = @within AND ${id} = @id`;
  const [isPresent, comesBack] = ref === undefined ? ['', ''] : [' AND gone_at IS NULL', ', gone_at = NULL'];
  return {
    find: sql.one<[number, string], StoredRow>`
      SELECT ${ref === undefined ? 'NULL AS gone_at' : `gone_at, ${ref}`}, first_seen_at, ${columns.join(', ')}
      FROM ${table} WHERE ${isItem}`,
    insert: sql.run<StoredValue[]>`
      INSERT INTO ${table} (${[...columns, 'first_seen_at', within, id].join(', ')})
      VALUES (${'?, '.repeat(columns.length)}?, ?, ?)`,
    update: sql.run<StoredValue[]>`
      UPDATE ${table} SET ${columns.map(column => `${column} = ?, `).join('')}
      first_seen_at = coalesce(first_seen_at, ?)${comesBack} WHERE ${isItem}`,
    present: sql.values<[number], string>`
      SELECT ${id} FROM ${table} WHERE ${within} = ? AND first_seen_at IS NOT NULL${isPresent}`,
    leave: sql.run<[Readonly<{ within: number; id: string; servedAt: number }>]>`${
      ref === undefined
        ? `DELETE FROM ${table} WHERE ${isLeft}`
        : `UPDATE ${table} SET gone_at = @servedAt WHERE ${isLeft}`
    }`,
  };
}

interface DatedValue {
  readonly from_at: number;
  readonly value: StoredValue;
}

/**
 * Writes the fields of a resource whose changes are remembered, where they are others than they last were: an item as it was read, of
 * which a field that was not sent is null from then on. All calls happen inside the transaction of one reading.
 *
 * @param resource its table, which has the changes in another one beside it.
 */
export function fieldChangesOf<Table extends FieldTable>(
  database: Database,
  resource: 'project' | 'endpoint',
  fields: Table,
) {
  const sql = statementsOf(database);
  const [table, ref] = [`${resource}_change`, `${resource}_ref`];
  const names = namesOf(fields, ({ remembers }) => remembers === 'changes');
  const readLast = sql.one<[number, string], DatedValue>`
    SELECT from_at, value FROM ${table} WHERE ${ref} = ? AND field = ? ORDER BY from_at DESC LIMIT 1`;
  const put = sql.run<[number, string, number, StoredValue]>`
    INSERT OR REPLACE INTO ${table} (${ref}, field, from_at, value) VALUES (?, ?, ?, ?)`;
  return (item_ref: number, item: FieldValues<Table>, servedAt: number): void => {
    for (const name of names) {
      const value = asStored(item[name]);
      const last = readLast(item_ref, name);
      if (value === (last?.value ?? null)) continue;
      // Never before what is known: the service's clock may have been set back.
      put(item_ref, name, Math.max(servedAt, last?.from_at ?? servedAt), value);
    }
  };
}

/** Commits the lists that projects have of a resource. All calls happen inside the transaction of one reading. */
export function partItemsOf(database: Database, part: AnyProjectPart) {
  const { table, item, derived, list, collector } = part;
  const fields = new FieldColumns(item.fields);
  const columns = [...fields.columns, ...derived];
  const items = new ListedItems(database, { table, within: 'project_ref', id: item.id, columns });
  const noteServed = statementsOf(database).run<[number, string, number]>`
    INSERT INTO part_listing (project_ref, collector, served_at) VALUES (?, ?, ?)
    ON CONFLICT DO UPDATE SET served_at = excluded.served_at`;
  return (project_ref: number, reading: ListReading<object>, servedAt: number): void => {
    items.commit(
      items.diff(project_ref, reading, servedAt, {
        identify: list.identify,
        write: (each, before) => ({ ...fields.write(each), ...part.derive(each, before, servedAt) }),
      }),
    );
    noteServed(project_ref, collector, servedAt);
  };
}
