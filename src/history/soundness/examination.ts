import { closeSync, openSync, readSync } from 'node:fs';
import Database from 'better-sqlite3';
import { resolveLinks } from '../file/alias.ts';
import { refuseVersion } from '../file/format.ts';
import { checkReadableHistory } from '../file/history-check.ts';
import { describeCause, HistoryError } from '../file/history-error.ts';
import { historySizeBytes, openReader, sizeOf } from '../file/reader.ts';
import { statementsOf } from '../file/statement.ts';
import { invariants } from './invariant.ts';

/** Something of a history that is not as it must be. */
interface Flaw {
  /** Absent where it is the file as a whole. */
  readonly table?: string;
  readonly problem: string;
}

/** The holdings of a history; instants in epoch milliseconds by the service's clock, absent while there are none. */
interface Holding {
  readonly accounts: readonly string[];
  readonly projects: number;
  readonly endpoints: number;
  readonly operations: number;
  readonly closedPeriods: number;
  readonly fromAt?: number;
  readonly untilAt?: number;
}

export interface Examination {
  readonly file: string;
  readonly sizeBytes: number;
  /** Absent where it cannot be read. */
  readonly format?: number;
  readonly flaws: readonly Flaw[];
  /** Absent where it cannot be read, or has another format. */
  readonly holding?: Holding;
}

/**
 * Looks at all of a history, also while a daemon writes it, which is not disturbed: whether SQLite finds it whole, and
 * whether its counters and intervals agree with each other.
 *
 * @param onProgress called with the part that is done, 0 to 1.
 * @throws HistoryError when it may not be read, which says nothing about the history.
 */
export function examineHistory(file: string, onProgress: (done: number) => void = () => {}): Examination {
  const sizeBytes = historySizeBytes(file);
  if (sizeBytes === 0) return { file, sizeBytes, flaws: [{ problem: 'it is empty: nothing was recorded' }] };
  const clause = checkReadableHistory(file);
  if (clause !== undefined) return { file, sizeBytes, flaws: [{ problem: clause.replace(/^which/, 'it') }] };
  let database: Database.Database | undefined;
  try {
    database = openReader(file);
    database.exec('BEGIN');
    const { flaws, ...found } = examine(database, onProgress);
    return { file, sizeBytes, ...found, flaws: [...checkLog(resolveLinks(file)), ...flaws] };
  } catch (cause) {
    if (cause instanceof HistoryError || !(cause instanceof Database.SqliteError)) throw cause;
    return { file, sizeBytes, flaws: [{ problem: describeCause(cause) }] };
  } finally {
    database?.close();
  }
}

function examine(
  database: Database.Database,
  onProgress: (done: number) => void,
): Omit<Examination, 'file' | 'sizeBytes'> {
  const format = Number(database.pragma('user_version', { simple: true }));
  const clause = refuseVersion(format);
  if (clause !== undefined) return { format, flaws: [{ problem: `it ${clause}` }] };
  const tables = statementsOf(database).values<[], string>`
    SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name`();
  const checks: (() => readonly Flaw[])[] = [
    ...tables.map(table => () => checkTable(database, table)),
    ...tables.map(table => () => checkReferences(database, table)),
    ...invariants.map(invariant => () => checkInvariant(database, invariant)),
  ];
  const found = checks.flatMap((check, index) => {
    onProgress(index / checks.length);
    return check();
  });
  const flaws = [...new Map(found.map(flaw => [`${flaw.table} ${flaw.problem}`, flaw])).values()];
  return { format, flaws, ...tryHolding(database) };
}

/** Bytes that a write-ahead log begins with, but for the last bit ("WAL File Format"). */
const logMagic = 0x377f0682;

function checkLog(path: string): readonly Flaw[] {
  if (sizeOf(`${path}-wal`) === 0) return [];
  const log = openSync(`${path}-wal`, 'r');
  try {
    const magic = Buffer.alloc(4);
    readSync(log, magic, 0, magic.length, 0);
    const isLog = (magic.readUInt32BE() & ~1) === logMagic;
    return isLog ? [] : [{ problem: 'its write-ahead log cannot be read: what was in it alone is lost' }];
  } finally {
    closeSync(log);
  }
}

const mostLines = 3;

function checkTable(database: Database.Database, table: string): readonly Flaw[] {
  return guard(table, () => {
    const lines = statementsOf(database).values<[string], string>`
      SELECT integrity_check FROM pragma_integrity_check(?)`(table);
    if (lines.length === 1 && lines[0] === 'ok') return [];
    const more = lines.length > mostLines ? ` and ${lines.length - mostLines} more` : '';
    return [{ table, problem: `${lines.slice(0, mostLines).join('; ')}${more}`.replace(/\s+/g, ' ') }];
  });
}

function checkReferences(database: Database.Database, table: string): readonly Flaw[] {
  return guard(table, () =>
    statementsOf(database).all<[string], { readonly parent: string; readonly rows: number }>`
      SELECT parent, count(*) AS rows FROM pragma_foreign_key_check(?) GROUP BY 1`(table).map(
      ({ parent, rows }) => ({ table, problem: `${rows} rows of no ${parent}` }),
    ),
  );
}

function checkInvariant(
  database: Database.Database,
  { table, otherwise, countWrong }: (typeof invariants)[number],
): readonly Flaw[] {
  return guard(table, () => {
    const rows = statementsOf(database).value<[], number>`${countWrong}`() ?? 0;
    return rows === 0 ? [] : [{ table, problem: `${rows} rows ${otherwise}` }];
  });
}

/** A table that cannot be read is a flaw of that table, and the others are looked at all the same. */
function guard(table: string, check: () => readonly Flaw[]): readonly Flaw[] {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof Database.SqliteError)) throw cause;
    return [{ table, problem: describeCause(cause) }];
  }
}

function tryHolding(database: Database.Database): { readonly holding?: Holding } {
  try {
    return { holding: describeHolding(database) };
  } catch {
    // The check of SQLite has told of rows that cannot be read.
    return {};
  }
}

function describeHolding(database: Database.Database): Holding {
  const sql = statementsOf(database);
  const pluck = (question: string) => sql.value<[], number>`${question}`();
  const count = (table: string) => pluck(`SELECT count(*) FROM ${table}`) ?? 0;
  const fromAt = pluck('SELECT min(first_seen_at) FROM project');
  const untilAt = pluck('SELECT max(projects_listed_at) FROM account');
  return {
    accounts: sql.values<[], string>`SELECT account FROM account ORDER BY account_ref`(),
    projects: count('project'),
    endpoints: count('endpoint'),
    operations: count('operation'),
    closedPeriods: count('closed_period'),
    ...(fromAt !== undefined && { fromAt }),
    ...(untilAt !== undefined && { untilAt }),
  };
}
