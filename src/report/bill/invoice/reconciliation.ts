import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { isSome } from '../../../cost/money/decimal-sum.ts';
import {
  type Amount,
  amountOf,
  compareAmounts,
  negateAmount,
  partOfAmount,
  showAmount,
  sumAmounts,
  timesRate,
} from '../../../cost/money/money.ts';
import type { Tolerance } from '../../../resources/invoice-rule.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import { renderReport } from '../../format/rendering.ts';
import { column, type Report, type ReportSpan, type RowColumn, tabulate } from '../../format/report.ts';
import { onOneLine, showInstant } from '../../format/shown-cell.ts';
import type { BillFormat } from '../../kind.ts';
import type { AccountBill } from '../account-bill.ts';
import {
  type Cause,
  causes,
  differenceOf,
  isDifference,
  isWithin,
  roundingOf,
  sizeOf,
} from '../comparison/cause.ts';
import { type ComparedBill, type ComparedRow, sumParts } from '../comparison/comparison.ts';
import { type ShownRow, showRows, titleOf } from './shown-row.ts';

/** An invoice beside what was worked out, ready to be written. */
export interface Reconciliation {
  /** What differs, and why. */
  readonly sentence: string;
  readonly report: Report;
  readonly currency: string;
  /** How much more the invoice asks for. */
  readonly difference: DecimalText;
  /** Such as `0.01 USD`. */
  readonly tolerance: string;
  readonly isWithinTolerance: boolean;
}

interface ReconciliationCase {
  readonly compared: ComparedBill;
  readonly bill: AccountBill;
  readonly period: ReportSpan;
  readonly currency: string;
  readonly decimals: number;
  readonly tolerance: Tolerance;
  /** Epoch milliseconds. */
  readonly now: number;
}

const columns: readonly RowColumn<ShownRow>[] = [
  column('item', 'text', 'What is billed.', row => row.title),
  column('project', 'text', 'The project it is of.', row => row.project),
  column('invoiced_quantity', 'decimal', 'The quantity on the invoice.', row => row.invoicedQuantity),
  column('own_quantity', 'decimal', 'The quantity that was worked out.', row => row.ownQuantity),
  column('invoiced_price', 'decimal', 'The price on the invoice.', row => row.invoicedPrice),
  column('own_price', 'decimal', 'The configured price.', row => row.ownPrice),
  column('invoiced', 'decimal', 'What the invoice asks for.', row => row.invoiced),
  column('worked_out', 'decimal', 'What was worked out.', row => row.own),
  column('difference', 'decimal', 'How much more the invoice asks for.', row => row.difference),
  column('because_of', 'text', 'What the difference is because of.', row => {
    const text = describeParts(row);
    // Of the total the sentence above a table has them.
    return row.isTotal ? { text, words: '' } : text;
  }),
  ...causes.map((key): RowColumn<ShownRow> => {
    const about = `The part of the difference that is because of ${key}.`;
    return { key, kind: 'decimal', about, isForPrograms: true, of: ({ parts }) => parts.get(key) };
  }),
];

/** Puts what was compared into words and rounded numbers that add up. */
export function makeReconciliation(given: ReconciliationCase): Reconciliation {
  const { compared, bill, period, currency, decimals, tolerance, now } = given;
  const { rows, totals } = showRows(compared.rows, decimals);
  const invoiced = sumAmounts(compared.rows.flatMap(({ lines }) => lines.map(line => amountOf(line.amount))));
  const most =
    'amount' in tolerance ? amountOf(tolerance.amount) : shareOf(sizeOf(invoiced), tolerance.percent);
  const shownTolerance = `${showAmount(most, decimals)} ${currency}`;
  const isWithinTolerance = compareAmounts(deviationOf(compared.rows), most) <= 0;
  return {
    sentence: describeDifference(rows, totals, currency),
    report: {
      generatedAt: now,
      title: `Invoice of account ${bill.account} beside what was worked out`,
      period: { ...period, label: labelBilling(period) },
      currency,
      ...tabulate(columns, rows, totals),
      notes: [
        ...describeBill(given),
        ...bill.notes,
        ...describeLeftOut(compared),
        ...suggestRules(compared.rows, decimals),
        ...bill.unknown,
        `Differences up to ${shownTolerance}, rounding not counted, are taken for none.`,
      ],
      partial: !isWithinTolerance,
    },
    ...{ currency, difference: totals.difference, tolerance: shownTolerance, isWithinTolerance },
  };
}

/** The whole text of a reconciliation: for people its sentence, then a table. */
export function renderReconciliation({ sentence, report }: Reconciliation, format: BillFormat): string {
  const isForPeople = format === 'table' || format === 'markdown';
  if (isForPeople) return `${sentence}\n\n${renderReport(report, format)}`;
  return renderReport({ ...report, notes: [sentence, ...report.notes] }, format);
}

/** What is neither rounding nor beyond the meter: a cause that adds and another that takes off do not make up for each other. */
function deviationOf(rows: readonly ComparedRow[]): Amount {
  const sums = [...sumParts(rows)].filter(([cause]) => cause !== 'rounding' && isDifference(cause));
  return sumAmounts(sums.map(([, sum]) => sizeOf(sum)));
}

function shareOf(amount: Amount, percent: string): Amount {
  return partOfAmount(timesRate(amount, percent), 1, 100);
}

function describeBill({ bill, period }: ReconciliationCase): readonly string[] {
  if (bill.closedAt === undefined) return [];
  const at = showInstant(bill.closedAt, period.timezone);
  return [`The billing period is closed since ${at}: the invoice is compared with its bill of then.`];
}

function describeLeftOut({ leftOut, free }: ComparedBill): readonly string[] {
  const sums = leftOut.map(({ description, amount }) => `${description} (${amount})`);
  const named = free.map(({ description }) => description);
  return [
    ...(sums.length > 0 ? [`Left out, as sums of other lines: ${sums.join(', ')}.`] : []),
    ...(named.length > 0 ? [`Left out, as nothing is charged for them: ${named.join(', ')}.`] : []),
  ];
}

/**
 * A sentence for each line of the invoice that nothing of ours is like, where one thing that is not invoiced has the same
 * amount: they may be the same under two names, which a rule says.
 */
function suggestRules(rows: readonly ComparedRow[], decimals: number): readonly string[] {
  const missing = rows.filter(({ lines, items }) => lines.length === 0 && items[0]?.kind !== 'rounding');
  return rows.flatMap(({ lines: [line, ...more], items }) => {
    if (line === undefined || more.length + items.length > 0) return [];
    const [same, ...others] = missing.filter(row => {
      const both = { lines: [line], items: row.items };
      return isWithin(differenceOf(both), roundingOf({ ...both, decimals }));
    });
    const [item] = same?.items ?? [];
    if (same === undefined || item === undefined || others.length > 0) return [];
    const { kind, plan, name } = item;
    const amount = showAmount(negateAmount(differenceOf(same)), decimals);
    const rule = [
      `match: ${JSON.stringify(line.description)}`,
      `as: ${kind}`,
      ...(plan === undefined ? [] : [`plan: ${writeWord(plan)}`]),
      ...(name === undefined ? [] : [`name: ${writeWord(name)}`]),
    ];
    return [
      `"${line.description}" (${line.amount}) may be "${titleOf(same)}" (${amount}): if it is, write {${rule.join(', ')}} under reconcile.lines.`,
    ];
  });
}

/** A word of YAML, in quotes where it needs them. */
function writeWord(text: string): string {
  return /^[a-z][\w ]*$/i.test(text) ? text : JSON.stringify(text);
}

const words: Readonly<Record<Cause, string>> = {
  not_modelled: 'not modelled',
  not_invoiced: 'not invoiced',
  gap: 'gap in observation',
  quantity: 'quantity',
  price: 'price',
  rounding: 'rounding',
  not_metered: 'billed, not metered',
};

/** Things named behind a cause. */
const namedRows = 3;

/** Such as `The invoice is 12.31 USD more than worked out: 10.00 not modelled (Storage), 2.30 price, 0.01 rounding.` */
function describeDifference(rows: readonly ShownRow[], totals: ShownRow, currency: string): string {
  const parts = describeParts(totals, causes.filter(isDifference), rows);
  const others = describeParts(totals, ['not_metered'], rows);
  const { difference, own } = totals;
  const ending = `${parts === '' ? '.' : `: ${parts}.`}${others === '' ? '' : ` Besides, ${others}.`}`;
  if (!isSome(difference)) return `The invoice is what was worked out, ${own} ${currency}${ending}`;
  const more = difference.startsWith('-') ? 'less' : 'more';
  return `The invoice is ${difference.replace('-', '')} ${currency} ${more} than worked out${ending}`;
}

/** Such as `10.00 not modelled (Storage), 2.30 price`; parts of nothing are left out. */
function describeParts(
  { parts }: Pick<ShownRow, 'parts'>,
  meant: readonly Cause[] = causes,
  rows: readonly ShownRow[] = [],
): string {
  const said = meant.flatMap(cause => {
    const amount = parts.get(cause);
    if (amount === undefined || !isSome(amount)) return [];
    const names = cause.startsWith('not_') ? nameRows(rows, cause) : '';
    return [`${amount} ${words[cause]}${names}`];
  });
  return said.join(', ');
}

function nameRows(rows: readonly ShownRow[], cause: Cause): string {
  const titles = rows
    .filter(({ parts }) => isSome(parts.get(cause) ?? ''))
    // A tax that differs for this cause has the other side, too.
    .filter(({ own, invoiced }) => !isSome(cause === 'not_invoiced' ? invoiced : own))
    .map(({ title }) => onOneLine(title));
  const [first, ...others] = [...new Set(titles)];
  if (first === undefined) return '';
  const rest = others.length - (namedRows - 1);
  const named = [first, ...others.slice(0, namedRows - 1)].join('; ');
  return rest > 0 ? ` (${named} and ${rest} more)` : ` (${named})`;
}
