import { closeSync, existsSync, fsyncSync, openSync, statSync } from 'node:fs';
import Database from 'better-sqlite3';
import { resolveLinks } from '../file/alias.ts';
import { applicationId, newestVersion } from '../file/format.ts';
import { describeCause, HistoryError } from '../file/history-error.ts';
import { lockHistory } from '../file/lock.ts';
import { migrate } from '../file/migration.ts';
import { hasTable } from '../file/schema-table.ts';
import { UnfinishedFile } from '../file/whole-copy.ts';
import { findOrphans } from './orphan.ts';
import { PageFile } from './page/page-file.ts';
import type { Tree } from './page/tree-page.ts';
import { TreeReader } from './page/tree-reader.ts';
import type { BegunAnew } from './repair/begun-anew.ts';
import { repairHistory } from './repair/repair.ts';
import { salvageTables } from './salvage-table.ts';
import { guessVersion, readStoredSchema, type StoredSchema } from './stored-schema.ts';
import { type CopiedTable, TableCopy } from './table-copy.ts';
import { describeIndex, describeTable, type TableShape } from './table-shape.ts';

export interface SalvageOptions {
  /** The damaged history, which is never written to. */
  readonly from: string;
  /** Where nothing is yet. */
  readonly to: string;
  /** Tables of rows by the time that are not begun or done by then are left out; none by default. */
  readonly mostMs?: number;
  /** Called with the part that is done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

/** The outcome of a salvage: what was saved of a damaged history, and what was not. */
export interface Salvage {
  readonly from: string;
  readonly to: string;
  /** As it was found, or guessed where its header is damaged. */
  readonly format: number;
  readonly tables: readonly CopiedTable[];
  readonly begunAnew: readonly BegunAnew[];
  /** Whether it has a write-ahead log that cannot be read. */
  readonly isLogLost: boolean;
  /** Whether anything was saved, so that there is a new history. */
  readonly isAny: boolean;
  /** Whether everything was. */
  readonly isWhole: boolean;
}

/**
 * Saves what can be read of a damaged history into a new one of the newest format. What is saved agrees with itself, and
 * nothing is counted twice as it goes on.
 *
 * @throws HistoryError saying what to do; then there is no new one.
 */
export function salvageHistory(options: SalvageOptions): Salvage {
  const { from, to } = options;
  if (existsSync(to)) throw new HistoryError(`${to} exists: name another file`);
  const path = resolveLinks(from);
  // One that was set aside has none.
  const lock = existsSync(`${path}.lock`) ? lockHistory(path, from) : undefined;
  try {
    using file = new PageFile(path);
    refuseForeign(from, file);
    using unfinished = new UnfinishedFile(to);
    const salvage = salvageInto(unfinished.path, file, options);
    if (salvage.isAny) unfinished.name();
    return salvage;
  } catch (cause) {
    // Another error is a fault of our own.
    if (cause instanceof HistoryError || !(cause instanceof Error && 'code' in cause)) throw cause;
    throw new HistoryError(
      `${from} could not be saved to ${to} (${describeCause(cause)}): check both files' rights and the disk's space`,
      { cause },
    );
  } finally {
    lock?.release();
  }
}

function refuseForeign(from: string, { header }: PageFile): void {
  if (header === undefined) return;
  if (header.applicationId !== applicationId && header.applicationId !== 0) {
    throw new HistoryError(`${from} is a database of another program: name another file`);
  }
  if (header.userVersion > newestVersion) {
    throw new HistoryError(
      `${from} was written by a newer dbpm-exporter (format ${header.userVersion}, this one knows ${newestVersion}): use that version`,
    );
  }
}

function salvageInto(path: string, file: PageFile, options: SalvageOptions): Salvage {
  const reader = new TreeReader(file);
  const schema = readStoredSchema(file, reader);
  const format = file.header?.userVersion || guessVersion(schema);
  closeSync(openSync(path, 'wx', 0o600));
  const database = new Database(path);
  try {
    // Nobody reads it before it is whole, and then it is on the disk.
    database.pragma('journal_mode = MEMORY');
    database.pragma('synchronous = OFF');
    database.pragma('foreign_keys = OFF');
    // There may be no folder for temporary files.
    database.pragma('temp_store = MEMORY');
    migrate(database, format);
    if (hasTable(database, 'source_salt')) database.exec('DELETE FROM source_salt');
    distrustDoubles(database, reader, schema);
    const orphans = findOrphans(database, file, reader, schema);
    const tables = copyTables(database, { reader, schema, orphans }, options);
    migrate(database);
    const begunAnew = repairHistory(database, Math.ceil(statSync(resolveLinks(options.from)).mtimeMs));
    const accounts = database.prepare<[], number>('SELECT count(*) FROM account').pluck().get() ?? 0;
    database.pragma('journal_mode = WAL');
    const isWhole = tables.every(isWholeTable) && !file.isLogLost;
    const { from, to } = options;
    return { from, to, format, tables, begunAnew, isLogLost: file.isLogLost, isAny: accounts > 0, isWhole };
  } finally {
    database.close();
    sync(path);
  }
}

/** Looks at what counters go on from, and at the indexes it is found by. */
function distrustDoubles(database: Database.Database, reader: TreeReader, schema: StoredSchema): void {
  const treeOf = (name: string, shape: TableShape | undefined): readonly Tree[] => {
    const stored = schema.get(name);
    return shape === undefined || stored === undefined ? [] : [{ ...shape, root: stored.root }];
  };
  reader.distrustDoubles(
    salvageTables
      .filter(({ isBulky }) => isBulky !== true)
      .flatMap(({ table }) => treeOf(table, describeTable(database, table))),
    salvageTables.flatMap(({ index }) =>
      index ? treeOf(index.name, describeIndex(database, index.name)) : [],
    ),
  );
}

function copyTables(
  database: Database.Database,
  source: ConstructorParameters<typeof TableCopy>[1],
  { mostMs = Number.POSITIVE_INFINITY, onProgress = () => {} }: SalvageOptions,
): readonly CopiedTable[] {
  const beganMs = performance.now();
  const copy = new TableCopy(database, source, () => performance.now() - beganMs > mostMs);
  return salvageTables.flatMap((definition, index) => {
    onProgress(index / salvageTables.length);
    return copy.copy(definition) ?? [];
  });
}

function isWholeTable({ droppedRows, rebuiltRows, lostPages, isLeft }: CopiedTable): boolean {
  return droppedRows === 0 && rebuiltRows === 0 && lostPages === 0 && !isLeft;
}

function sync(path: string): void {
  const file = openSync(path, 'r+');
  try {
    fsyncSync(file);
  } finally {
    closeSync(file);
  }
}
