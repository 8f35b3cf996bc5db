import { isMissing, type Report, writeCell } from '../report/format/report.ts';
import type { ReadRow, RowSource } from '../report/report-list.ts';
import { writeInstant } from './answer-value.ts';

/** The rows of a report as answers have them. An empty text is no value. */
export function readRows<Of extends RowSource>({
  columns,
  rows,
}: Pick<Report, 'columns' | 'rows'>): ReadRow<Of>[] {
  return rows.map(row => {
    const missing: Record<string, string> = {};
    const read: Record<string, unknown> = { missing };
    columns.forEach((column, index) => {
      const cell = row[index];
      if (isMissing(cell)) missing[column.key] = cell.missing;
      // Answers have milliseconds.
      const isInstant = column.kind === 'instant' && typeof cell === 'number';
      const value = isInstant ? writeInstant(cell) : writeCell(cell, column);
      read[column.key] = value === '' ? null : (value ?? null);
    });
    return read as unknown as ReadRow<Of>;
  });
}

/** The totals of a report, read likewise; undefined where it has none. */
export function readTotals<Of extends RowSource>({ columns, totals }: Report): ReadRow<Of> | undefined {
  return totals === undefined ? undefined : readRows<Of>({ columns, rows: [totals] })[0];
}

/** Names a project among those of all accounts. */
export function rowKey(account: string, project_id: string): string {
  return JSON.stringify([account, project_id]);
}
