import type { Column, Report } from './report.ts';

const columns: readonly Column[] = [
  { key: 'period', kind: 'text' },
  { key: 'period_from', kind: 'instant' },
  { key: 'period_until', kind: 'instant' },
  { key: 'currency', kind: 'text' },
];

/** A report of money whose rows say themselves of what period and in what currency they are, as rows of several files do. */
export function withPeriod(report: Report): Report {
  const { period, currency } = report;
  if (currency === undefined) return report;
  const cells = [period.label, period.fromAt, period.untilAt, currency];
  return {
    ...report,
    columns: [...report.columns, ...columns],
    rows: report.rows.map(row => [...row, ...cells]),
  };
}
