import { type Report, type RowColumn, tabulate } from './report.ts';

/** Columns that rows of money end with in CSV. */
const periodColumns: readonly RowColumn<Report>[] = [
  { key: 'period', kind: 'text', about: 'The period as it was asked for.', of: row => row.period.label },
  { key: 'period_from', kind: 'instant', about: 'When the period began.', of: row => row.period.fromAt },
  {
    ...{ key: 'period_until', kind: 'instant', about: 'The first instant after the period.' },
    of: row => row.period.untilAt,
  },
  { key: 'currency', kind: 'text', about: 'The currency of all money in the row.', of: row => row.currency },
];

/** A report of money whose rows say themselves of what period and in what currency they are, as rows of several files do. */
export function withPeriod(report: Report): Report {
  if (report.currency === undefined) return report;
  const { columns, rows } = tabulate(periodColumns, [report]);
  return {
    ...report,
    columns: [...report.columns, ...columns],
    rows: report.rows.map(row => [...row, ...(rows[0] ?? [])]),
  };
}
