import { type Cell, type Column, isMissing, isWorded, type Report } from './report.ts';

/**
 * A report for spreadsheets, by RFC 4180: a line of names and a line for each row, without totals, ended by CRLF. Numbers
 * are plain decimals, instants ISO 8601 in UTC, and a missing value is empty.
 */
export function renderCsv({ columns, rows }: Pick<Report, 'columns' | 'rows'>): string {
  const lines = [
    columns.map(({ key }) => key),
    ...rows.map(row => columns.map((column, index) => writeCell(row[index], column))),
  ];
  return lines.map(cells => `${cells.map(quoteCell).join(',')}\r\n`).join('');
}

function writeCell(cell: Cell, { kind }: Column): string {
  if (cell === undefined || isMissing(cell)) return '';
  if (isWorded(cell)) return disarm(cell.text);
  if (kind === 'instant') return writeInstant(Number(cell));
  if (kind === 'text' || kind === 'sentence') return disarm(String(cell));
  return String(cell);
}

/** An instant in whole seconds, such as `2026-10-05T14:03:00Z`. */
export function writeInstant(at: number): string {
  return new Date(at).toISOString().replace(/\.\d{3}Z$/, 'Z');
}

/** A spreadsheet would run a name such as `=cmd()` as a formula: an apostrophe before it makes it a text. */
function disarm(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
