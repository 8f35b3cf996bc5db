import {
  type Cell,
  type Column,
  column,
  type Report,
  type RowColumn,
  tabulate,
  writeCell,
} from './report.ts';
import { valueKinds } from './value-kind.ts';

/**
 * A report for spreadsheets, by RFC 4180: a line of names and a line for each row, without totals, ended by CRLF. Numbers
 * are plain decimals, instants ISO 8601 in UTC, and a missing value is empty.
 */
export function renderCsv({ columns, rows }: Pick<Report, 'columns' | 'rows'>): string {
  const lines = [
    columns.map(({ key }) => key),
    ...rows.map(row => columns.map((column, index) => writeField(row[index], column))),
  ];
  return lines.map(cells => `${cells.map(quoteCell).join(',')}\r\n`).join('');
}

function writeField(cell: Cell, column: Column): string {
  const written = String(writeCell(cell, column) ?? '');
  return valueKinds[column.kind].isNumber ? written : disarm(written);
}

/** A spreadsheet would run a name such as `=cmd()` as a formula: an apostrophe before it makes it a text. */
function disarm(text: string): string {
  return /^[=+\-@\t\r\n]/.test(text) ? `'${text}` : text;
}

function quoteCell(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Columns that rows end with in CSV; the last one where there is money. */
const periodColumns: readonly RowColumn<Report>[] = [
  column('period', 'text', 'The period as it was asked for.', row => row.period.label),
  column('period_from', 'instant', 'When the period began.', row => row.period.fromAt),
  column('period_until', 'instant', 'The first instant after the period.', row => row.period.untilAt),
  column('currency', 'text', 'The currency of all money in the row.', row => row.currency),
];

/**
 * A report whose rows say themselves of what period and in what currency they are, as rows of several files do. The billing
 * period is that of the charge, or else the one that has the whole period.
 */
export function withPeriod(report: Report): Report {
  const { currency, billingPeriod } = report;
  const { columns, rows } = tabulate(currency === undefined ? periodColumns.slice(0, -1) : periodColumns, [
    report,
  ]);
  const isOfBilling = report.columns.map(({ isBillingPeriod }) => isBillingPeriod);
  const fill = (cell: Cell, index: number) => (isOfBilling[index] ? (cell ?? billingPeriod) : cell);
  return {
    ...report,
    columns: [...report.columns, ...columns],
    rows: report.rows.map(row => [...row.map(fill), ...(rows[0] ?? [])]),
  };
}
