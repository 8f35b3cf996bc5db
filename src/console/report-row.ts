import { isMissing, isWorded, type Report, type ReportRow } from '../report/format/report.ts';
import type { DecimalText } from '../resources/price-book.ts';

/** A row of a report by the keys of its columns; a value that is missing is absent, and `reasons` says why. */
export interface KeyedRow {
  readonly text: (key: string) => string | undefined;
  /** A whole number, or epoch milliseconds. */
  readonly count: (key: string) => number | undefined;
  /** A decimal as answers have it: null where there is none. */
  readonly decimal: (key: string) => DecimalText | null;
  readonly flag: (key: string) => boolean | undefined;
  /** Why there is no value, such as `unpriced`. */
  readonly reason: (key: string) => string | undefined;
}

/** The rows of a report, to be asked by the keys of its columns. */
export function keyRows({ columns, rows }: Pick<Report, 'columns' | 'rows'>): KeyedRow[] {
  const indexes = new Map(columns.map(({ key }, index) => [key, index]));
  return rows.map(row => keyRow(indexes, row));
}

/** The totals of a report, to be asked likewise; undefined where it has none. */
export function keyTotals({ columns, totals }: Report): KeyedRow | undefined {
  return totals === undefined ? undefined : keyRows({ columns, rows: [totals] })[0];
}

function keyRow(indexes: ReadonlyMap<string, number>, row: ReportRow): KeyedRow {
  const cellOf = (key: string) => row[indexes.get(key) ?? -1];
  return {
    text(key) {
      const cell = cellOf(key);
      if (typeof cell === 'string') return cell;
      return typeof cell === 'object' && isWorded(cell) ? cell.text : undefined;
    },
    count(key) {
      const cell = cellOf(key);
      return typeof cell === 'number' ? cell : undefined;
    },
    decimal(key) {
      const cell = cellOf(key);
      return typeof cell === 'string' && cell !== '' ? cell : null;
    },
    flag(key) {
      const cell = cellOf(key);
      return typeof cell === 'boolean' ? cell : undefined;
    },
    reason(key) {
      const cell = cellOf(key);
      return typeof cell === 'object' && isMissing(cell) ? cell.missing : undefined;
    },
  };
}

/** Names a project among those of all accounts. */
export function rowKey(account: string, project_id: string): string {
  return JSON.stringify([account, project_id]);
}
