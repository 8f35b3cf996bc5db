import { renderReport } from '../../format/rendering.ts';
import { type Report, type RowColumn, tabulate } from '../../format/report.ts';
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
  { key: 'item', kind: 'text', about: 'What is billed.', of: row => row.title },
  { key: 'project', kind: 'text', about: 'The project it is of.', of: row => row.project },
  {
    ...{ key: 'invoiced_quantity', kind: 'decimal', about: 'The quantity on the invoice.' },
    of: row => row.invoicedQuantity,
  },
  {
    ...{ key: 'own_quantity', kind: 'decimal', about: 'The quantity that was worked out.' },
    of: row => row.ownQuantity,
  },
  {
    ...{ key: 'invoiced_price', kind: 'decimal', about: 'The price on the invoice.' },
    of: row => row.invoicedPrice,
  },
  { key: 'own_price', kind: 'decimal', about: 'The configured price.', of: row => row.ownPrice },
  { key: 'invoiced', kind: 'decimal', about: 'What the invoice asks for.', of: row => row.invoiced },
  { key: 'worked_out', kind: 'decimal', about: 'What was worked out.', of: row => row.own },
  {
    ...{ key: 'difference', kind: 'decimal', about: 'How much more the invoice asks for.' },
    of: row => row.difference,
  },
  {
    ...{ key: 'because_of', kind: 'text', about: 'What the difference is because of.' },
    of: row => row.because ?? describeParts(row),
  },
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
