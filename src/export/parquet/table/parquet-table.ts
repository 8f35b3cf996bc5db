import type { DescribedColumn } from '../../../report/format/report.ts';
import { type Value, type ValueKind, valueKinds } from '../../../report/format/value-kind.ts';
import type { ParquetDay, PlacedRow } from './parquet-day.ts';

/** The declaration of a column of a table; where there is no value it is NULL. */
interface ParquetColumn<Row> extends DescribedColumn {
  readonly of: (row: Row) => Value | null | undefined;
}

/** @param about a sentence on what its values are. */
export function column<Row>(
  key: string,
  kind: ValueKind,
  about: string,
  of: ParquetColumn<Row>['of'],
): ParquetColumn<Row> {
  return { key, kind, about, of };
}

/** The columns that every table begins with. */
export const dayColumns: readonly ParquetColumn<PlacedRow>[] = [
  column('account', 'text', 'The account.', row => row.place.account),
  column('day', 'date', 'The day, in `usage.timezone`.', row => row.place.dayAt),
];

type ProjectText = 'project_id' | 'project_name' | 'region_id' | 'platform_id' | 'org_id' | 'org_name';

function ofProject(key: ProjectText, about: string): ParquetColumn<PlacedRow> {
  return column(key, 'text', about, ({ place }) => place.project?.[key]);
}

/** The columns that name the project of a row, with all that is usually asked for. */
export const projectColumns: readonly ParquetColumn<PlacedRow>[] = [
  ofProject('project_id', 'The project.'),
  ofProject('project_name', 'Its name.'),
  ofProject('region_id', 'Its region.'),
  ofProject('platform_id', 'Its platform.'),
  column('group_name', 'text', 'Its group by the first grouping.', row => row.place.group),
  column('groups_json', 'text', 'Its groups by all groupings.', row => row.place.groups),
  ofProject('org_id', 'Its organization.'),
  ofProject('org_name', 'The name of that.'),
  column('owner_id', 'text', 'Its owner; only with `--personal`.', ({ place }) =>
    place.isPersonal ? place.project?.owner_id : undefined,
  ),
  column('project_created_at', 'instant', 'When it was created.', row => row.place.project?.created_at),
];

/** The declaration of a table: rows of one kind, a file of them for each account and day. */
interface TableDeclaration<Row> {
  readonly name: string;
  /** A sentence on what a row is. */
  readonly about: string;
  /** Its own columns: they follow the columns of the day, and of the project where rows are of one. */
  readonly columns: readonly ParquetColumn<Row>[];
  /** Whether its rows are of the whole account. */
  readonly isOfAccount?: true;
  /** Instant from which on the history still has all that rows are made of. */
  readonly keptFromAt: (day: ParquetDay) => number;
  readonly rows: (day: ParquetDay) => Iterable<Row>;
}

/** A table, whatever its rows are. */
export interface ParquetTable extends Pick<TableDeclaration<unknown>, 'name' | 'about' | 'keptFromAt'> {
  readonly columns: readonly DescribedColumn[];
  readonly lay: (day: ParquetDay) => LaidRows;
}

/** Declares a table with the type of its own rows. */
export function parquetTable<Row extends PlacedRow>({
  rows,
  columns: own,
  isOfAccount,
  ...table
}: TableDeclaration<Row>): ParquetTable {
  const columns = [...dayColumns, ...(isOfAccount ? [] : projectColumns), ...own];
  return { ...table, columns, lay: day => layRows(columns, [...rows(day)]) };
}

/** The values of rows, one column beside the other. */
export interface LaidRows {
  readonly count: number;
  readonly values: readonly unknown[][];
}

/** Row by row: rows lie all over the memory, and columns one beside the other. */
export function layRows<Row>(columns: readonly ParquetColumn<Row>[], rows: readonly Row[]): LaidRows {
  const laid = columns.map(({ kind, of }) => ({
    ...{ of, store: valueKinds[kind].store },
    values: new Array<unknown>(rows.length),
  }));
  let at = 0;
  for (const row of rows) {
    for (const { of, store, values } of laid) {
      const value = of(row) ?? undefined;
      values[at] = value === undefined ? undefined : store(value);
    }
    at += 1;
  }
  return { count: rows.length, values: laid.map(({ values }) => values) };
}
