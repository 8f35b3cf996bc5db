import Database from 'better-sqlite3';
import type { StoredValue } from './page/record.ts';
import type { StoredRow } from './page/tree-page.ts';
import { makeRowJudge, type RowJudge } from './row-judge.ts';
import type { SalvageTable } from './salvage-table.ts';
import { isRowOf, type TableShape } from './table-shape.ts';

/** Writes rows of a table, page by page. */
export class RowSink {
  savedRows = 0;
  droppedRows = 0;
  #pages = 0;
  readonly #shape: TableShape;
  readonly #judge: RowJudge;
  readonly #writePage;
  readonly #inserts = new Map<number, Database.Statement<StoredValue[]>>();
  readonly #insertOf: (columns: number) => Database.Statement<StoredValue[]>;
  readonly #parents;
  readonly #unlink;

  constructor(database: Database.Database, definition: SalvageTable, shape: TableShape) {
    const { table } = definition;
    this.#shape = shape;
    this.#judge = makeRowJudge(definition, shape);
    this.#parents = shape.parents.map(parent => ({ ...parent, refs: readRefs(database, parent.table) }));
    this.#unlink = database.prepare<[StoredValue]>('INSERT OR IGNORE INTO unlinked VALUES (?)');
    this.#insertOf = columns => {
      const names = shape.columns.slice(0, columns).map(({ name }) => name);
      return database.prepare(
        `INSERT INTO ${table} (${names.join(', ')}) VALUES (${names.map(() => '?').join(', ')})`,
      );
    };
    this.#writePage = database.transaction((rows: readonly StoredRow[]) => {
      for (const row of rows) this.#write(row);
    });
  }

  /** @returns false where one of the rows is none of the table or cannot be true: then none of them is believed. */
  write(rows: readonly StoredRow[]): boolean {
    if (!rows.every(({ values }) => isRowOf(this.#shape, values))) return false;
    const accept = this.#judge(rows.map(({ values }) => values));
    if (accept === undefined) return false;
    const { savedRows, droppedRows } = this;
    try {
      this.#writePage(rows);
      this.#pages += rows.length > 1 ? 1 : 0;
      accept();
      return true;
    } catch (error) {
      if (!(error instanceof Database.SqliteError) || !error.code.startsWith('SQLITE_CONSTRAINT'))
        throw error;
      Object.assign(this, { savedRows, droppedRows });
      return false;
    }
  }

  /** Undefined where no page could be read. */
  rowsPerPage(): number | undefined {
    return this.#pages === 0 ? undefined : (this.savedRows + this.droppedRows) / this.#pages;
  }

  #write({ key, values }: StoredRow): void {
    const { rowidAt } = this.#shape;
    const row = values.map((value, at) => (at === rowidAt ? (key[0] ?? null) : value));
    for (const { at, refs, isNullable } of this.#parents) {
      const ref = row[at] ?? null;
      if (ref === null || refs.has(ref)) continue;
      if (!isNullable) {
        this.droppedRows += 1;
        return;
      }
      row[at] = null;
      this.#unlink.run(row[0] ?? null);
    }
    this.savedRows += 1;
    const known = this.#inserts.get(row.length);
    const insert = known ?? this.#insertOf(row.length);
    if (known === undefined) this.#inserts.set(row.length, insert);
    insert.run(...row);
  }
}

/** The rows there are of a table whose rows have rowids. */
export function readRefs(database: Database.Database, table: string): ReadonlySet<StoredValue> {
  return new Set(database.prepare<[], number>(`SELECT rowid FROM ${table}`).pluck().iterate());
}
