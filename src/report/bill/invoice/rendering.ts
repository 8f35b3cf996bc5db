import { renderReport } from '../../format/rendering.ts';
import { column, type Report, type RowColumn, tabulate } from '../../format/report.ts';
import type { BillFormat } from '../bill-format.ts';
import { causes } from '../comparison/cause.ts';
import { describeParts } from './difference-sentence.ts';
import type { Reconciliation } from './reconciliation.ts';
import type { ShownRow } from './shown-row.ts';

interface InvoiceRow extends ShownRow {
  /** The causes in words; of the total the sentence above a table has them. */
  readonly because?: string;
}

const columns: readonly RowColumn<InvoiceRow>[] = [
  column('item', 'text', 'What is billed.', row => row.title),
  column('project', 'text', 'The project it is of.', row => row.project),
  column('invoiced_quantity', 'decimal', 'The quantity on the invoice.', row => row.invoicedQuantity),
  column('own_quantity', 'decimal', 'The quantity that was worked out.', row => row.ownQuantity),
  column('invoiced_price', 'decimal', 'The price on the invoice.', row => row.invoicedPrice),
  column('own_price', 'decimal', 'The configured price.', row => row.ownPrice),
  column('invoiced', 'decimal', 'What the invoice asks for.', row => row.invoiced),
  column('worked_out', 'decimal', 'What was worked out.', row => row.own),
  column('difference', 'decimal', 'How much more the invoice asks for.', row => row.difference),
  column(
    'because_of',
    'text',
    'What the difference is because of.',
    row => row.because ?? describeParts(row),
  ),
  ...causes.map((key): RowColumn<InvoiceRow> => {
    const about = `The part of the difference that is because of ${key}.`;
    return { key, kind: 'decimal', about, isForPrograms: true, of: ({ parts }) => parts.get(key) };
  }),
];

/** The whole text of a reconciliation: for people its sentence, then a table. */
export function renderReconciliation(
  reconciliation: Reconciliation,
  format: BillFormat,
  generatedAt: number,
): string {
  const { account, period, currency, sentence, rows, totals, notes, tolerance } = reconciliation;
  const isForPeople = format === 'table' || format === 'markdown';
  const report: Report = {
    generatedAt,
    title: `Invoice of account ${account} beside what was worked out`,
    period,
    currency,
    ...tabulate<InvoiceRow>(columns, rows, isForPeople ? { ...totals, because: '' } : totals),
    notes: [...notes, `Differences up to ${tolerance}, rounding not counted, are taken for none.`],
    partial: !reconciliation.isWithinTolerance,
  };
  if (isForPeople) return `${sentence}\n\n${renderReport(report, format)}`;
  return renderReport(format === 'json' ? { ...report, notes: [sentence, ...report.notes] } : report, format);
}
