import type { DescribedColumn } from '../../../report/format/report.ts';
import { type LaidRows, type LakeColumn, layRows } from './lake-column.ts';
import type { LakeDay } from './lake-day.ts';

/** The declaration of a table: rows of one kind, a file of them for each account and day. */
interface TableDeclaration<Row> {
  readonly name: string;
  /** A sentence on what a row is. */
  readonly about: string;
  readonly columns: readonly LakeColumn<Row>[];
  /** Instant from which on the history still has all that rows are made of. */
  readonly keptFromAt: (day: LakeDay) => number;
  readonly rows: (day: LakeDay) => Iterable<Row>;
}

/** A table, whatever its rows are. */
export interface LakeTable extends Pick<TableDeclaration<unknown>, 'name' | 'about' | 'keptFromAt'> {
  readonly columns: readonly DescribedColumn[];
  readonly lay: (day: LakeDay) => LaidRows;
}

/** Declares a table with the type of its own rows. */
export function lakeTable<Row>({ rows, columns, ...table }: TableDeclaration<Row>): LakeTable {
  return { ...table, columns, lay: day => layRows(columns, [...rows(day)]) };
}
