import type Database from 'better-sqlite3';
import { compact } from '../../resources/field.ts';
import { LostPeriod } from './lost-period.ts';
import { isWithin, type Orphan, type Orphans } from './orphan.ts';
import type { StoredValue } from './page/record.ts';
import type { Bounds } from './page/tree-page.ts';
import type { Stretch, TreeReader } from './page/tree-reader.ts';
import { RowSink, readRefs } from './row-sink.ts';
import type { SalvageTable } from './salvage-table.ts';
import type { StoredSchema } from './stored-schema.ts';
import { describeIndex, describeTable, isRowOf, type TableShape } from './table-shape.ts';

/** The outcome for a table. */
export interface CopiedTable {
  readonly table: string;
  readonly savedRows: number;
  /** Rows of which an index told no more than that there was one, and what it was of. */
  readonly rebuiltRows: number;
  /** Rows that could be read and are of something that is lost. */
  readonly droppedRows: number;
  /** Parts of it that could not be read. */
  readonly lostPages: number;
  /** Rows that were there, as many as its other pages lead one to expect; absent where there are none. */
  readonly lostRowsAbout?: number;
  /** The time they are of, in epoch milliseconds; absent where nobody knows. */
  readonly lostFromAt?: number;
  readonly lostUntilAt?: number;
  /** Whether all of it was left out, as time was short. */
  readonly isLeft: boolean;
}

export interface CopySource {
  readonly reader: TreeReader;
  readonly schema: StoredSchema;
  readonly orphans: Orphans;
}

/** Thrown to leave out a table for which there is no time. */
class OutOfTime extends Error {}

/** Copies tables row by row, each in one transaction, and takes down in the database which rows of them are lost. */
export class TableCopy {
  readonly #database: Database.Database;
  readonly #source: CopySource;
  readonly #isLate: () => boolean;
  readonly #noteLost;

  /** @param database the new history, in the format of the damaged one; its foreign keys are not looked after. */
  constructor(database: Database.Database, source: CopySource, isLate: () => boolean) {
    this.#database = database;
    this.#source = source;
    this.#isLate = isLate;
    database.exec(`CREATE TEMP TABLE lost (tbl TEXT NOT NULL, first_ref ANY, after_at ANY, last_ref ANY, before_at ANY);
      CREATE TEMP TABLE rebuilt (tbl TEXT NOT NULL, ref INTEGER NOT NULL);
      CREATE TEMP TABLE unlinked (project_ref INTEGER PRIMARY KEY);`);
    this.#noteLost = database.prepare<[string, ...StoredValue[]]>('INSERT INTO lost VALUES (?, ?, ?, ?, ?)');
  }

  /** @returns undefined where the format has no such table. */
  copy(definition: SalvageTable): CopiedTable | undefined {
    const shape = describeTable(this.#database, definition.table);
    if (shape === undefined) return undefined;
    try {
      return this.#database.transaction(() => this.#copyAll(definition, shape))();
    } catch (error) {
      if (!(error instanceof OutOfTime)) throw error;
      this.#noteLost.run(definition.table, null, null, null, null);
      const none = { savedRows: 0, rebuiltRows: 0, droppedRows: 0, lostPages: 0 };
      return { table: definition.table, ...none, isLeft: true };
    }
  }

  #copyAll(definition: SalvageTable, shape: TableShape): CopiedTable {
    const { table } = definition;
    const sink = new RowSink(this.#database, definition, shape);
    const period = new LostPeriod(definition, shape);
    let lostPages = 0;
    let separators = 0;
    let unread = 0;
    for (const { rows, ...bounds } of this.#stretches(table, shape)) {
      if (definition.isBulky && this.#isLate()) throw new OutOfTime();
      if (rows !== undefined && sink.write(rows)) {
        for (const row of rows) period.noteSaved(row);
        continue;
      }
      lostPages += 1;
      this.#noteGap(table, shape, bounds);
      period.noteLost(bounds);
      const orphans = this.#orphansWithin(table, bounds);
      // Between each two of them the damaged page had a row, where rows have no rowids.
      if (orphans.length === 0) unread += 1;
      else separators += shape.hasRowids ? 0 : orphans.length - 1;
      for (const orphan of orphans) {
        const found = this.#source.reader.tryRows(orphan.page, shape) ?? [];
        if (sink.write(found)) for (const row of found) period.noteSaved(row);
      }
    }
    return {
      table,
      savedRows: sink.savedRows,
      rebuiltRows: lostPages > 0 ? this.#rebuild(definition) : 0,
      droppedRows: sink.droppedRows,
      lostPages,
      ...compact({ lostRowsAbout: estimate(unread, sink.rowsPerPage(), separators) }),
      ...period.find(),
      isLeft: false,
    };
  }

  *#stretches(table: string, shape: TableShape): Generator<Stretch> {
    const { schema, reader, orphans } = this.#source;
    const stored = schema.get(table);
    if (stored === undefined || orphans.unexplained.has(table)) yield { rows: undefined };
    else yield* reader.walk({ ...shape, root: stored.root });
  }

  #orphansWithin(table: string, bounds: Bounds): readonly Orphan[] {
    return (this.#source.orphans.pages.get(table) ?? []).filter(({ firstKey }) => isWithin(firstKey, bounds));
  }

  #noteGap(table: string, { hasRowids }: TableShape, { after = [], before = [] }: Bounds): void {
    const [first = null, afterAt = null] = after;
    const [last = null, beforeAt = null] = before;
    const firstLost = hasRowids && typeof first === 'number' ? first + 1 : first;
    this.#noteLost.run(table, firstLost, hasRowids ? null : afterAt, last, hasRowids ? null : beforeAt);
  }

  /** Makes rows that are lost again from an index, as far as that goes. */
  #rebuild({ table, index }: SalvageTable): number {
    if (index === undefined) return 0;
    const stored = this.#source.schema.get(index.name);
    const shape = describeIndex(this.#database, index.name);
    const noteUnknown = () => this.#noteLost.run(index.name, null, null, null, null);
    if (stored === undefined || shape === undefined) {
      noteUnknown();
      return 0;
    }
    const insert = this.#database.prepare<StoredValue[]>(
      `INSERT OR IGNORE INTO ${table} (${index.columns}) VALUES (${index.values})`,
    );
    const note = this.#database.prepare<[string, StoredValue]>('INSERT INTO rebuilt VALUES (?, ?)');
    const hasParents = makeParentCheck(this.#database, table, index.columns);
    let rebuilt = 0;
    for (const { rows } of this.#source.reader.walk({ ...shape, root: stored.root })) {
      if (rows === undefined) noteUnknown();
      for (const { values } of rows ?? []) {
        if (!isRowOf(shape, values) || !hasParents(values)) continue;
        if (insert.run(...values).changes === 0) continue;
        note.run(table, values.at(-1) ?? null);
        rebuilt += 1;
      }
    }
    return rebuilt;
  }
}

function estimate(
  unreadPages: number,
  rowsPerPage: number | undefined,
  separators: number,
): number | undefined {
  if (unreadPages === 0) return separators;
  return rowsPerPage === undefined ? undefined : Math.round(unreadPages * rowsPerPage) + separators;
}

function makeParentCheck(database: Database.Database, table: string, columns: string) {
  const names = columns.split(', ');
  const shape = describeTable(database, table);
  const parents = (shape?.parents ?? []).map(parent => ({
    at: names.indexOf(shape?.columns[parent.at]?.name ?? ''),
    refs: readRefs(database, parent.table),
  }));
  return (values: readonly StoredValue[]) => parents.every(({ at, refs }) => refs.has(values[at] ?? null));
}
