import type { Database } from 'better-sqlite3';
import { statementsOf } from '../file/statement.ts';
import { type JoinedPart, type JoinedProject, keyOfProject, type ProjectLink } from './joined-project.ts';

/** What is added to numbers of rows of a history, so that no two histories have the same ones. */
export interface RowOffsets {
  readonly endpoint_ref: number;
  readonly metered_ref: number;
}

/** A number that a row has in its history, and in the joined one. */
export interface RowNumber {
  readonly own: number;
  readonly ref: number;
}

/** Numbers by which rows are of something: of the first one that a table has. */
const owners = ['project_ref', 'endpoint_ref', 'metered_ref'] as const;
type Owner = (typeof owners)[number];

interface CopiedTable {
  readonly name: string;
  readonly owner: Owner;
  readonly columns: readonly string[];
  readonly key: readonly string[];
}

/** The tables whose rows are of projects, of endpoints or of what is metered of a project. */
function listCopiedTables(database: Database): readonly CopiedTable[] {
  const names = statementsOf(database).values<[], string>`
    SELECT name FROM sqlite_schema WHERE type = 'table'`();
  return names.flatMap(name => {
    const info = statementsOf(database).all<[string], { name: string; pk: number }>`
      SELECT name, pk FROM pragma_table_info(?)`(name);
    const columns = info.map(column => column.name);
    const owner = owners.find(each => columns.includes(each));
    const key = info.filter(({ pk }) => pk > 0).map(column => column.name);
    return owner === undefined ? [] : [{ name, owner, columns, key }];
  });
}

/**
 * Makes a function that copies rows of the tables that are of something as one history has them, but for the tables that are
 * joined apart.
 */
export function rowCopier(joined: Database, owner: Owner, joinedApart: ReadonlySet<string>) {
  const tables = listCopiedTables(joined).filter(
    table => table.owner === owner && !joinedApart.has(table.name),
  );
  return ({ database }: JoinedPart, { own, ref }: RowNumber): void => {
    for (const { name } of tables)
      for (const row of rowsOf(database, name, { [owner]: own }))
        insertRow(joined, name, { ...row, [owner]: ref });
  };
}

/** Gives each history numbers for its rows that no other one has. */
export function offsetRows(parts: readonly JoinedPart[]): ReadonlyMap<JoinedPart, RowOffsets> {
  let next: RowOffsets = { endpoint_ref: 0, metered_ref: 0 };
  const offsets = new Map<JoinedPart, RowOffsets>();
  for (const part of parts) {
    offsets.set(part, next);
    const last = (table: string, column: string) =>
      statementsOf(part.database).value<[], number>`SELECT coalesce(max(${column}), 0) FROM ${table}`() ?? 0;
    next = {
      endpoint_ref: next.endpoint_ref + last('endpoint', 'endpoint_ref'),
      metered_ref: next.metered_ref + last('metered_project', 'metered_ref'),
    };
  }
  return offsets;
}

/**
 * What each history metered of projects, with its numbers in the joined one. A meter tells of the whole account, also to a history
 * that reads a part of its projects: each project is taken once.
 */
export function listMetered(
  parts: readonly JoinedPart[],
  projects: readonly JoinedProject[],
  offsets: ReadonlyMap<JoinedPart, RowOffsets>,
): ReadonlyMap<JoinedPart, readonly RowNumber[]> {
  const known = new Map(projects.map(project => [keyOfProject(project), project]));
  const listed = parts.flatMap(part =>
    statementsOf(part.database).all<
      [],
      { readonly own: number; readonly account: string; readonly project_id: string }
    >`
      SELECT metered_ref AS own, account, project_id FROM metered_project JOIN account USING (account_ref)`().map(
      ({ own, ...project }) => ({ part, own, key: keyOfProject(project) }),
    ),
  );
  const taken = [...Map.groupBy(listed, ({ key }) => key)].flatMap(([key, found]) => {
    const project = known.get(key);
    const speaking =
      project === undefined
        ? found.slice(0, 1)
        : found.filter(
            ({ part }) => part === project.last.part || project.moves.some(link => link.part === part),
          );
    const last = speaking.find(({ part }) => part === project?.last.part) ?? speaking.at(-1);
    if (last === undefined) return [];
    const ref = last.own + (offsets.get(last.part)?.metered_ref ?? 0);
    return speaking.map(({ part, own }) => ({ part, own, ref }));
  });
  return Map.groupBy(taken, ({ part }) => part);
}

interface Copied {
  readonly offsets: RowOffsets;
  /** By the number of the account in the history. */
  readonly accounts: readonly RowNumber[];
  /** Projects that the history alone speaks for. */
  readonly projects: readonly JoinedProject[];
  readonly metered: readonly RowNumber[];
}

/**
 * Copies the rows of projects that one history alone speaks for, with the numbers of the joined history.
 *
 * @param path a file that another connection has open: the last one to go would write what is still in its log.
 */
export function copyRows(joined: Database, path: string, copied: Copied): void {
  statementsOf(joined).run`ATTACH ? AS part`(path);
  try {
    joined.exec(`
      CREATE TEMP TABLE own_account (own INTEGER PRIMARY KEY, ref INTEGER NOT NULL);
      CREATE TEMP TABLE own_project_ref (own INTEGER PRIMARY KEY, ref INTEGER NOT NULL);
      CREATE TEMP TABLE own_endpoint_ref (own INTEGER PRIMARY KEY, ref INTEGER NOT NULL);
      CREATE TEMP TABLE own_metered_ref (own INTEGER PRIMARY KEY, ref INTEGER NOT NULL)`);
    fill(joined, 'own_account', copied.accounts);
    fill(
      joined,
      'own_project_ref',
      copied.projects.map(({ project_ref, last }) => ({ own: last.own, ref: project_ref })),
    );
    fill(joined, 'own_metered_ref', copied.metered);
    statementsOf(joined).run<[number]>`
      INSERT INTO own_endpoint_ref SELECT endpoint_ref, endpoint_ref + ? FROM part.endpoint
      WHERE project_ref IN (SELECT own FROM own_project_ref)`(copied.offsets.endpoint_ref);
    for (const table of listCopiedTables(joined)) joined.exec(copyOf(table, copied.offsets));
  } finally {
    joined.exec(`DROP TABLE IF EXISTS own_account; DROP TABLE IF EXISTS own_project_ref;
      DROP TABLE IF EXISTS own_endpoint_ref; DROP TABLE IF EXISTS own_metered_ref`);
    joined.exec('DETACH part');
  }
}

function fill(joined: Database, table: string, numbers: readonly RowNumber[]): void {
  const insert = statementsOf(joined).run<[number, number]>`INSERT INTO ${table} VALUES (?, ?)`;
  joined.transaction(() => {
    for (const { own, ref } of numbers) insert(own, ref);
  })();
}

/** One row after the other as the keys of the joined history lie. Of what several histories metered the most is true. */
function copyOf({ name, owner, columns, key }: CopiedTable, offsets: RowOffsets): string {
  const values = columns.map(column => {
    if (column === owner) return 'own.ref';
    if (column === 'account_ref') return '(SELECT ref FROM own_account WHERE own = row.account_ref)';
    return column === 'endpoint_ref' ? `row.endpoint_ref + ${offsets.endpoint_ref}` : `row.${column}`;
  });
  const amounts = columns.filter(column => !key.includes(column));
  const most = amounts.map(
    column =>
      `${column} = max(coalesce(${column}, excluded.${column}), coalesce(excluded.${column}, ${column}))`,
  );
  const conflict = owner === 'metered_ref' ? `WHERE TRUE ON CONFLICT DO UPDATE SET ${most.join(', ')}` : '';
  return `INSERT INTO main.${name} (${columns.join(', ')}) SELECT ${values.join(', ')}
    FROM own_${owner} AS own CROSS JOIN part.${name} AS row ON row.${owner} = own.own ${conflict}`;
}

/** A row of any table, by its columns. */
export type Row = Readonly<Record<string, number | string | Buffer | null>>;

/** Rows whose number in a column is one of these, the last not included. */
type RowSpan = Readonly<{ column: string; from: number; until: number }>;

/** The rows of a table that have these values, in the order of its key; of a time, as far as they are within that. */
export function rowsOf(database: Database, table: string, where: Row, within?: RowSpan): readonly Row[] {
  const conditions = Object.keys(where).map(column => `${column} = @${column}`);
  if (within) conditions.push(`${within.column} >= @from`, `${within.column} < @until`);
  return statementsOf(database).all<[Row], Row>`
    SELECT * FROM ${table} WHERE ${conditions.join(' AND ')}`({ ...where, ...within });
}

/** Inserts a row with the columns it has; one with the same key is replaced. @returns its number. */
export function insertRow(database: Database, table: string, row: Row): number {
  const columns = Object.keys(row);
  const values = columns.map(column => `@${column}`);
  const insert = statementsOf(database).run<[Row]>`
    INSERT OR REPLACE INTO ${table} (${columns.join(', ')}) VALUES (${values.join(', ')})`;
  return Number(insert(row).lastInsertRowid);
}

/** Values by one history until the next one read its first, each where it differs from the one before. */
function joinDated(told: readonly { readonly fromAt: number; readonly rows: readonly Row[] }[]) {
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
    .filter((row, index, all) => index === 0 || row.value !== all[index - 1]?.value);
}

/** The time in which a history tells of something, by the number that has there. */
type ToldTime = Pick<ProjectLink, 'part' | 'own' | 'fromAt' | 'untilAt'>;

/** Changes of the fields of a resource by one history until the next one read its first, each field by itself. */
export function joinChanges(resource: 'project' | 'endpoint', links: readonly ToldTime[]): readonly Row[] {
  const told = links.map(({ part, own, fromAt, untilAt }) => ({
    fromAt,
    rows: rowsOf(part.database, `${resource}_change`, { [`${resource}_ref`]: own }).filter(
      ({ from_at }) => Number(from_at) <= untilAt,
    ),
  }));
  const fields = new Set(told.flatMap(({ rows }) => rows.map(({ field }) => field)));
  return [...fields].flatMap(name => {
    const own = told.map(({ fromAt, rows }) => ({
      fromAt,
      rows: rows.filter(({ field }) => field === name),
    }));
    return joinDated(own);
  });
}
