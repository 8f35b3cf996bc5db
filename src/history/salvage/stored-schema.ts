import Database from 'better-sqlite3';
import { migrations, newestVersion } from '../file/format.ts';
import { migrate } from '../file/migration.ts';
import type { PageFile } from './page/page-file.ts';
import type { StoredRow } from './page/tree-page.ts';
import type { TreeReader } from './page/tree-reader.ts';

/** A table or an index as the file has it. */
export interface StoredObject {
  readonly root: number;
  /** Absent for indexes that SQLite makes by itself. */
  readonly sql: string | undefined;
}

/** The tables and indexes of a file, by name. */
export type StoredSchema = ReadonlyMap<string, StoredObject>;

const schemaTree = { root: 1, hasRowids: true, keyColumns: 5 };

/** Reads where the tables of a file are; where that cannot be read, it is looked for on all its pages. */
export function readStoredSchema(file: PageFile, reader: TreeReader): StoredSchema {
  const found = new Map<string, StoredObject>();
  let isDamaged = false;
  for (const { rows } of reader.walk(schemaTree)) {
    if (rows === undefined) isDamaged = true;
    for (const row of rows ?? []) note(found, row, file.pageCount);
  }
  if (!isDamaged) return found;
  for (let page = 2; page <= file.pageCount; page += 1) {
    const rows = reader.tryRows(page, schemaTree) ?? [];
    if (rows.every(row => isObject(row, file.pageCount))) {
      for (const row of rows) note(found, row, file.pageCount);
    }
  }
  return found;
}

function note(found: Map<string, StoredObject>, row: StoredRow, pageCount: number): void {
  if (!isObject(row, pageCount)) return;
  const [, name, , root, sql] = row.values;
  found.set(String(name), { root: Number(root), sql: sql === null ? undefined : String(sql) });
}

function isObject({ values }: StoredRow, pageCount: number): boolean {
  const [type, name, table, root, sql] = values;
  if (values.length !== 5 || (type !== 'table' && type !== 'index')) return false;
  if (typeof name !== 'string' || typeof table !== 'string' || typeof root !== 'number') return false;
  return root > 1 && root <= pageCount && (sql === null || typeof sql === 'string');
}

/**
 * The format of a file whose header cannot be read: that of the last migration of which there is a table, a column of its type
 * or an index.
 *
 * @returns the newest where nothing of the schema is left.
 */
export function guessVersion(schema: StoredSchema): number {
  if (schema.size === 0) return newestVersion;
  const database = new Database(':memory:');
  try {
    const known = new Set<string>();
    let guess = 1;
    for (let version = 1; version <= migrations.length; version += 1) {
      migrate(database, version);
      for (const part of [...listColumns(database), ...listIndexes(database)]) {
        const name = `${part.table} ${part.column} ${part.type}`;
        const isNew = !known.has(name);
        known.add(name);
        if (isNew && hasPart(schema, part)) guess = version;
      }
    }
    return guess;
  } finally {
    database.close();
  }
}

interface Column {
  readonly table: string;
  /** Absent for an index. */
  readonly column?: string;
  readonly type?: string;
}

function listColumns(database: Database.Database): readonly Column[] {
  return database
    .prepare<[], Column>(
      `SELECT s.name AS "table", c.name AS "column", c.type AS "type" FROM sqlite_schema AS s JOIN pragma_table_info(s.name) AS c
       WHERE s.type = 'table'`,
    )
    .all();
}

function listIndexes(database: Database.Database): readonly Column[] {
  return database
    .prepare<[], Column>(`SELECT name AS "table" FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL`)
    .all();
}

function hasPart(schema: StoredSchema, { table, column, type }: Column): boolean {
  const { sql } = schema.get(table) ?? {};
  return sql !== undefined && (column === undefined || new RegExp(`\\b${column}\\s+${type}\\b`).test(sql));
}
