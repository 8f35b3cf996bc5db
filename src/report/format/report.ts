/** What stands in a cell where there is no value: a person reads why, a program finds nothing. */
export interface Missing {
  readonly missing: string;
}

/**
 * By the kind of its column: a text; a sentence, which a table has below the row; a whole number; a decimal number as it is written, without separators; an instant in
 * epoch milliseconds; yes or no.
 */
export type Cell = string | number | boolean | Missing | undefined;

export interface Column {
  /** Stable: programs read it. */
  readonly key: string;
  readonly kind: 'text' | 'sentence' | 'count' | 'decimal' | 'instant' | 'flag';
  /** For people, where the words of the key are too long for a table or say too little. */
  readonly title?: string;
}

/** Of the same length as the columns. */
export type ReportRow = readonly Cell[];

/** What a report says, before it is written in any format. */
export interface Report {
  /** What is reported, such as `Cost by project`. */
  readonly title: string;
  readonly period: ReportSpan;
  /** Of all money in it. */
  readonly currency?: string;
  readonly columns: readonly Column[];
  readonly rows: readonly ReportRow[];
  readonly totals?: ReportRow;
  /** Sentences on what the numbers mean and what they leave out. */
  readonly notes: readonly string[];
  /** Whether something is missing that was asked for; the notes say what. */
  readonly partial: boolean;
}

export interface ReportSpan {
  /** As it was asked for. */
  readonly label: string;
  /** Epoch milliseconds, `untilAt` the first instant after it. */
  readonly fromAt: number;
  readonly untilAt: number;
  /** IANA zone its days are meant in. */
  readonly timezone: string;
}

export function isMissing(cell: Cell): cell is Missing {
  return typeof cell === 'object';
}

export function titleOfColumn({ key, title = key.replaceAll('_', ' ') }: Column): string {
  return title;
}
