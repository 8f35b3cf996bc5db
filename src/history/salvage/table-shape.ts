import type { Database } from 'better-sqlite3';
import type { StoredValue } from './page/record.ts';
import type { TreeOrder } from './page/tree-page.ts';

interface Column {
  readonly name: string;
  readonly type: string;
  readonly isNullable: boolean;
}

/** A table that the rows of another one name. */
export interface Parent {
  /** The place of the column in a row. */
  readonly at: number;
  readonly table: string;
  readonly isNullable: boolean;
}

/** How rows of a table or an index are stored. */
export interface TableShape extends TreeOrder {
  /** In the order of stored rows. */
  readonly columns: readonly Column[];
  /** The place of the column that stands for the rowid, which is stored as nothing. */
  readonly rowidAt: number;
  readonly parents: readonly Parent[];
}

/** @returns undefined where there is no such table. */
export function describeTable(database: Database, table: string): TableShape | undefined {
  const rows = database
    .prepare<[string], { name: string; type: string; notnull: number; pk: number }>(
      'SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid',
    )
    .all(table);
  if (rows.length === 0) return undefined;
  const sql = database.prepare<[string], string>('SELECT sql FROM sqlite_schema WHERE name = ?').pluck();
  const hasRowids = !/WITHOUT ROWID/.test(sql.get(table) ?? '');
  const key = rows.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk);
  const stored = hasRowids ? rows : [...key, ...rows.filter(({ pk }) => pk === 0)];
  const columns = stored.map(({ name, type, notnull, pk }) => ({
    ...{ name, type },
    isNullable: notnull === 0 && (pk === 0 || hasRowids),
  }));
  const parents = database
    .prepare<[string], { table: string; from: string }>(
      'SELECT "table", "from" FROM pragma_foreign_key_list(?)',
    )
    .all(table)
    .map(({ table: parent, from }) => {
      const at = columns.findIndex(({ name }) => name === from);
      return { at, table: parent, isNullable: columns[at]?.isNullable ?? false };
    });
  const rowidAt = hasRowids ? columns.findIndex(({ name }) => name === key[0]?.name) : -1;
  return { columns, hasRowids, keyColumns: hasRowids ? 0 : key.length, rowidAt, parents };
}

/** Indexes are ordered by all their columns. */
export function describeIndex(database: Database, index: string): TableShape | undefined {
  const columns = database
    .prepare<[string], Column>(
      `SELECT coalesce(i.name, 'rowid') AS name, coalesce(t.type, 'INTEGER') AS type, coalesce(NOT t."notnull", 0) AS isNullable
       FROM sqlite_schema AS s JOIN pragma_index_xinfo(s.name) AS i LEFT JOIN pragma_table_info(s.tbl_name) AS t USING (cid)
       WHERE s.name = ? ORDER BY i.seqno`,
    )
    .all(index);
  if (columns.length === 0) return undefined;
  return { columns, hasRowids: false, keyColumns: columns.length, rowidAt: -1, parents: [] };
}

/** Whether values can be a row; one that was written before columns were added is shorter. */
export function isRowOf(
  { columns, keyColumns, rowidAt }: TableShape,
  values: readonly StoredValue[],
): boolean {
  if (values.length > columns.length || values.length < Math.max(1, keyColumns)) return false;
  return values.every((value, at) => {
    const column = columns[at];
    if (column === undefined) return false;
    if (value === null) return column.isNullable || at === rowidAt;
    if (column.type === 'TEXT') return typeof value === 'string';
    if (column.type === 'BLOB') return Buffer.isBuffer(value);
    return typeof value === 'number' && (column.type === 'REAL' || Number.isInteger(value));
  });
}
