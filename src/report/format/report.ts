import type { DecimalText } from '../../resources/price-book.ts';
import type { ShowbackPage } from './showback-page.ts';
import { cutLong, onOneLine, showEdge } from './shown-cell.ts';
import { type Value, type ValueKind, valueKinds } from './value-kind.ts';

/** A cell without a value: a person reads the reason, a program finds nothing. */
interface Missing {
  readonly missing: string;
}

/** Stands where nothing tells a value yet. */
export const notKnown: Missing = { missing: 'not known' };

/** A text that a program compares, and the words a person reads in its place. */
interface Worded {
  readonly text: string;
  readonly words: string;
}

/** A value by the kind of its column, or what stands in its place. */
export type Cell = Value | Worded | Missing | undefined;

/** A column of a report. */
export interface Column {
  /** Its name for programs, which never changes. */
  readonly key: string;
  readonly kind: ValueKind;
  /** Its name for people, where the words of the key are too long for a table or say too little. */
  readonly title?: string;
  /** Whether it is left out of tables for people, who read it in the words of other cells. */
  readonly isForPrograms?: boolean;
  /** Whether it says who or where people are. */
  readonly isPersonal?: boolean;
  /** The end of a period that its instants are: people read its first or last day. */
  readonly edge?: 'first' | 'last';
  /** Whether it is the billing period of a row, which is that of the report where the row has none of its own. */
  readonly isBillingPeriod?: boolean;
}

/** A column with a sentence on what its values are. */
export interface DescribedColumn extends Column {
  readonly about: string;
}

/** The declaration of a column, with the way from a row to its cell. */
export interface RowColumn<Row> extends DescribedColumn {
  readonly of: (row: Row) => Cell;
}

/** A column whose key and kind the compiler knows, so that what is read of its rows is typed. */
export interface TypedColumn<Row, Key = Lowercase<string>, Kind = ValueKind> extends RowColumn<Row> {
  readonly key: Key & string;
  readonly kind: Kind & ValueKind;
}

/**
 * Declares a column that has no more to it.
 *
 * @param about a sentence on what its values are.
 */
export function column<Row, const Key extends string, const Kind extends ValueKind>(
  key: Key,
  kind: Kind,
  about: string,
  of: (row: Row) => Cell,
): TypedColumn<Row, Key, Kind> {
  return { key, kind, about, of };
}

/** Cells, as many as there are columns. */
export type ReportRow = readonly Cell[];

/** A report before it is written in any format. */
export interface Report {
  /** Such as `Cost by project`. */
  readonly title: string;
  readonly period: ReportSpan;
  /** Sentences on what is in it, to be read first. */
  readonly summary?: readonly string[];
  /** What the period is compared with, and what both cost, or used where there are no prices. */
  readonly against?: {
    /** Its name for programs. */
    readonly of: 'cost' | 'compute_hours';
    readonly period: ReportSpan;
    readonly before: DecimalText;
    readonly after: DecimalText;
    /** Whether enough is known of that period. */
    readonly isComparable: boolean;
  };
  /** Epoch milliseconds. */
  readonly generatedAt: number;
  /** The billing period that all of it lies in; absent where that is not one. */
  readonly billingPeriod?: string;
  /** Currency of all money in it. */
  readonly currency?: string;
  /** Of the price book that all money in it is by. */
  readonly fingerprint?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly ReportRow[];
  /** For people, the values of column `by` are heads of those of column `of`, with what `last` is of the last one beside them. */
  readonly across?: { readonly by: string; readonly of: string; readonly last: string };
  readonly totals?: ReportRow;
  /** Pages of its own in the formats that are pages; absent where it is a table in all. */
  readonly pages?: readonly ShowbackPage[];
  /** Sentences on the meaning of the numbers and on their gaps. */
  readonly notes: readonly string[];
  /** Gaps in the known use of projects, as programs read them; absent where a report is not of use. */
  readonly unknownUse?: readonly Readonly<Record<string, string | null>>[];
  /** Whether something is missing that was asked for; the notes name it. */
  readonly partial: boolean;
}

/** The period of a report. */
export interface ReportSpan {
  /** The period as it was asked for, such as `last-month`. */
  readonly label: string;
  /** Epoch milliseconds, `untilAt` the first instant after it. */
  readonly fromAt: number;
  readonly untilAt: number;
  /** IANA zone its days are meant in. */
  readonly timezone: string;
}

/**
 * The columns, rows and totals of a report as all that write it know them.
 *
 * @param totals a row of all; the first cell that people see says that it is one.
 */
export function tabulate<Row>(
  columns: readonly RowColumn<Row>[],
  rows: readonly Row[],
  totals?: Row,
): Pick<Report, 'columns' | 'rows' | 'totals'> {
  const cellsOf = (row: Row) => columns.map(({ of }) => of(row));
  const first = columns.findIndex(({ isForPrograms }) => isForPrograms !== true);
  return {
    columns: columns.map(({ about: _, of: __, ...column }) => column),
    rows: rows.map(cellsOf),
    ...(totals !== undefined && { totals: cellsOf(totals).with(first, 'total') }),
  };
}

/** Whether a cell has a reason in place of a value. */
export function isMissing(cell: Cell): cell is Missing {
  return typeof cell === 'object' && 'missing' in cell;
}

/** Whether a cell has other words for people than for programs. */
export function isWorded(cell: Cell): cell is Worded {
  return typeof cell === 'object' && 'words' in cell;
}

/** A cell for people: numbers with thousands separated, instants by the clocks of a zone. */
export function showCell(
  cell: Cell,
  { kind, edge }: Pick<Column, 'kind' | 'edge'>,
  timezone: string,
): string {
  if (cell === undefined) return '';
  if (isMissing(cell)) return cell.missing;
  if (isWorded(cell)) return cutLong(onOneLine(cell.words));
  return edge === undefined ? valueKinds[kind].show(cell, timezone) : showEdge(Number(cell), timezone, edge);
}

/** A cell for programs; undefined where there is no value. */
export function writeCell(cell: Cell, { kind }: Pick<Column, 'kind'>): Value | undefined {
  if (cell === undefined || isMissing(cell)) return undefined;
  return isWorded(cell) ? cell.text : valueKinds[kind].write(cell);
}

/** A report without the columns that are for programs alone. */
export function forPeople(report: Report): Report {
  const isShown = (_: unknown, index: number) => report.columns[index]?.isForPrograms !== true;
  const { columns, rows, totals } = report;
  return {
    ...report,
    columns: columns.filter(isShown),
    rows: rows.map(row => row.filter(isShown)),
    ...(totals && { totals: totals.filter(isShown) }),
  };
}

/** A report without what is said of people: its columns are there, and have no values. */
export function withoutPersonal<Shown extends Pick<Report, 'columns' | 'rows'>>(report: Shown): Shown {
  const { columns, rows } = report;
  if (!columns.some(({ isPersonal }) => isPersonal)) return report;
  const hide = (row: ReportRow) => row.map((cell, index) => (columns[index]?.isPersonal ? undefined : cell));
  return { ...report, rows: rows.map(hide) };
}

/** The name of a column for people. */
export function titleOfColumn({ key, title = key.replaceAll('_', ' ') }: Column): string {
  return title;
}
