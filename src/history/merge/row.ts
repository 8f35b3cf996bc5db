import type { Database } from 'better-sqlite3';

/** A row of any table, by its columns. */
export type Row = Readonly<Record<string, number | string | Buffer | null>>;

/** The rows of a table that have a value in a column, in the order of its key. */
export function rowsOf(database: Database, table: string, where: Row): readonly Row[] {
  const conditions = Object.keys(where).map(column => `${column} = @${column}`);
  const columns = `SELECT * FROM ${table}`;
  const all = conditions.length === 0 ? columns : `${columns} WHERE ${conditions.join(' AND ')}`;
  return prepared(database, all, sql => database.prepare<[Row], Row>(sql)).all(where);
}

/** Inserts a row with the columns it has; one with the same key is replaced. @returns its number. */
export function insertRow(database: Database, table: string, row: Row): number {
  const columns = Object.keys(row);
  const values = columns.map(column => `@${column}`);
  const sql = `INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`;
  return Number(prepared(database, sql, text => database.prepare<[Row]>(text)).run(row).lastInsertRowid);
}

/** Values by one history until the next one read its first, each where it differs from the one before. */
function joinDated(
  told: readonly { readonly fromAt: number; readonly rows: readonly Row[] }[],
  column: string,
): readonly Row[] {
  return told
    .reduce<readonly Row[]>((before, { fromAt, rows }, index) => {
      if (index === 0) return rows;
      const held = rows.findLast(({ from_at }) => Number(from_at) <= fromAt);
      return [
        ...before.filter(({ from_at }) => Number(from_at) < fromAt),
        ...(held === undefined ? [] : [{ ...held, from_at: fromAt }]),
        ...rows.filter(({ from_at }) => Number(from_at) > fromAt),
      ];
    }, [])
    .filter((row, index, all) => index === 0 || row[column] !== all[index - 1]?.[column]);
}

/** The time in which a history tells of something, by the number that has there; epoch milliseconds. */
interface ToldTime {
  readonly part: { readonly database: Database };
  readonly own: number;
  readonly fromAt: number;
  readonly untilAt: number;
}

/** Changes of the fields of a resource by one history until the next one read its first, each field by itself. */
export function joinChanges(resource: 'project' | 'endpoint', links: readonly ToldTime[]): readonly Row[] {
  const told = links.map(({ part, own, fromAt, untilAt }) => ({
    fromAt,
    rows: rowsOf(part.database, `${resource}_change`, { [`${resource}_ref`]: own }).filter(
      ({ from_at }) => Number(from_at) < untilAt,
    ),
  }));
  const fields = new Set(told.flatMap(({ rows }) => rows.map(({ field }) => field)));
  return [...fields].flatMap(name => {
    const own = told.map(({ fromAt, rows }) => ({
      fromAt,
      rows: rows.filter(({ field }) => field === name),
    }));
    return joinDated(own, 'value');
  });
}

const statements = new WeakMap<Database, Map<string, unknown>>();

/** Prepared once for each connection: thousands of rows have few shapes. */
function prepared<Statement>(
  database: Database,
  sql: string,
  prepare: (sql: string) => Statement,
): Statement {
  const known = statements.get(database) ?? new Map<string, unknown>();
  statements.set(database, known);
  const statement = (known.get(sql) ?? prepare(sql)) as Statement;
  known.set(sql, statement);
  return statement;
}
