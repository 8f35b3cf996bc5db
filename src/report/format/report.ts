import type { DecimalText } from '../../resources/price-book.ts';

/** A cell without a value: a person reads the reason, a program finds nothing. */
export interface Missing {
  readonly missing: string;
}

/** A text that a program compares, and the words a person reads in its place. */
export interface Worded {
  readonly text: string;
  readonly words: string;
}

/**
 * A value by the kind of its column: a text; a sentence, which a table has below the row; a whole number; a decimal number as
 * it is written, without separators; an instant in epoch milliseconds; yes or no.
 */
export type Cell = string | number | boolean | Worded | Missing | undefined;

/** A column of a report. */
export interface Column {
  /** Its name for programs, which never changes. */
  readonly key: string;
  readonly kind: 'text' | 'sentence' | 'count' | 'decimal' | 'instant' | 'flag';
  /** Its name for people, where the words of the key are too long for a table or say too little. */
  readonly title?: string;
  /** Whether it is left out of tables for people, who read it in the words of other cells. */
  readonly isForPrograms?: boolean;
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
  /** What the period is compared with, and what both cost. */
  readonly against?: {
    readonly period: ReportSpan;
    readonly before: DecimalText;
    readonly after: DecimalText;
    /** Whether enough is known of that period. */
    readonly isComparable: boolean;
  };
  /** Epoch milliseconds. */
  readonly generatedAt: number;
  /** Currency of all money in it. */
  readonly currency?: string;
  /** Of the price book that all money in it is by. */
  readonly fingerprint?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly ReportRow[];
  readonly totals?: ReportRow;
  /** Sentences on the meaning of the numbers and on their gaps. */
  readonly notes: readonly string[];
  /** Gaps in the known use of projects; absent where a report is not of use. */
  readonly unknownUse?: readonly WrittenGap[];
  /** Whether something is missing that was asked for; the notes name it. */
  readonly partial: boolean;
}

/** Time of a project in which its use is not known, with what it can be at most. */
export interface WrittenGap {
  readonly kind: string;
  readonly account: string;
  readonly project_id: string;
  readonly project_name?: string;
  /** Epoch milliseconds. */
  readonly fromAt: number;
  readonly untilAt: number;
  /** Compute hours; absent where nothing bounds them. */
  readonly hoursAtMost?: DecimalText;
  /** In the currency of the report. */
  readonly costAtMost?: DecimalText;
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

/** Whether a cell has a reason in place of a value. */
export function isMissing(cell: Cell): cell is Missing {
  return typeof cell === 'object' && 'missing' in cell;
}

/** Whether a cell has other words for people than for programs. */
export function isWorded(cell: Cell): cell is Worded {
  return typeof cell === 'object' && 'words' in cell;
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

/** The name of a column for people. */
export function titleOfColumn({ key, title = key.replaceAll('_', ' ') }: Column): string {
  return title;
}
