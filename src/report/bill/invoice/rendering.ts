import { renderReport } from '../../format/rendering.ts';
import type { Cell, Column, Report } from '../../format/report.ts';
import type { BillFormat } from '../bill-format.ts';
import { causes } from '../comparison/cause.ts';
import { describeParts } from './difference-sentence.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { ShownRow } from './shown-row.ts';

const columns: readonly Column[] = [
  { key: 'item', kind: 'text' },
  { key: 'project', kind: 'text' },
  { key: 'invoiced_quantity', kind: 'decimal' },
  { key: 'own_quantity', kind: 'decimal' },
  { key: 'invoiced_price', kind: 'decimal' },
  { key: 'own_price', kind: 'decimal' },
  { key: 'invoiced', kind: 'decimal' },
  { key: 'worked_out', kind: 'decimal' },
  { key: 'difference', kind: 'decimal' },
  { key: 'because_of', kind: 'text' },
  ...causes.map((key): Column => ({ key, kind: 'decimal', isForPrograms: true })),
];

/** The whole text of a reconciliation: for people its sentence, then a table. */
export function renderReconciliation(
  reconciliation: Reconciliation,
  format: BillFormat,
  generatedAt: number,
): string {
  const { account, period, currency, sentence, rows, totals, notes, tolerance } = reconciliation;
  const report: Report = {
    generatedAt,
    title: `Invoice of account ${account} beside what was worked out`,
    period,
    currency,
    columns,
    rows: rows.map(row => toCells(row)),
    totals: toCells(totals),
    notes: [...notes, `Differences up to ${tolerance}, rounding not counted, are taken for none.`],
    partial: !reconciliation.isWithinTolerance,
  };
  switch (format) {
    case 'csv':
      return renderReport(report, format);
    case 'json':
      return renderReport({ ...report, notes: [sentence, ...report.notes] }, format);
    case 'table':
    case 'markdown':
      return `${sentence}\n\n${renderReport({ ...report, totals: toCells(totals, '') }, format)}`;
  }
}

/** @param because the causes in words; of the total the sentence above a table has them. */
function toCells(row: ShownRow, because = describeParts(row)): readonly Cell[] {
  return [
    row.title,
    row.project,
    row.invoicedQuantity,
    row.ownQuantity,
    row.invoicedPrice,
    row.ownPrice,
    row.invoiced,
    row.own,
    row.difference,
    because,
    ...causes.map(cause => row.parts.get(cause)),
  ];
}
