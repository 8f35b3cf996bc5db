import { currencyDecimals } from '../cost/money/money.ts';
import type { DecimalText } from '../resources/price-book.ts';
import { reportBillLines } from './bill-line.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { showCosts } from './format/cost-text.ts';
import { showHourParts } from './format/hour-text.ts';
import { type Cell, column, type TypedColumn, tabulate } from './format/report.ts';
import { describeMinimums } from './minimum-note.ts';
import { describeMoney } from './money-note.ts';
import { noScope, type RowScope, type ScopedRow } from './row/scope.ts';
import { gatherCosts, requirePricing } from './row/scoped-cost.ts';
import { compareBooks } from './what-if.ts';

interface CostRow extends ScopedRow {
  readonly cost: Cell;
  readonly used: Cell;
  readonly included: Cell;
  readonly billed: Cell;
  readonly unpriced: Cell;
}

/** The columns of costs. */
export const costColumns = [
  column('cost', 'decimal', 'What it cost.', row => row.cost),
  column('used_hours', 'decimal', 'Compute hours that were used.', row => row.used),
  column('included_hours', 'decimal', 'Compute hours that a plan includes.', row => row.included),
  column('billed_hours', 'decimal', 'Compute hours that have a price.', row => row.billed),
  column('unpriced_hours', 'decimal', 'Compute hours that no plan or price is for.', row => row.unpriced),
] satisfies readonly TypedColumn<CostRow>[];

const shareNote =
  'Charges of accounts are shared out to projects, by what each cost in the billing period unless the price book says otherwise.';

const projectNote =
  'Base fees, minimums and other charges are of the account: they are in no cost of one project.';

/**
 * The report of cost in the display currency of the price book, dearest first.
 *
 * @throws Failure when the configuration has no prices.
 */
export function reportCost(subject: ReportSubject): ReportContent {
  const { request, rule } = subject;
  const book = requirePricing(subject.request);
  if (request.whatIf !== undefined) return compareBooks(subject, book, request.whatIf);
  if (request.by === 'line') return reportBillLines(subject, book);
  const { costs, charges, costing } = gatherCosts(subject, book);
  const sums = costs.map(({ sum }) => sum);
  const money = describeMoney(subject, book, costing, sums);
  const decimals = currencyDecimals(book.displayCurrency);
  const shown = showCosts(costs, decimals);
  const hours = showHourParts(
    sums.map(sum => [sum.includedCuMs, sum.billedCuMs, sum.unpricedCuMs]),
    costs.map(({ scope }) => scope),
  );
  return {
    title: titleOf('Cost', request),
    currency: book.displayCurrency,
    ...tabulate(
      [...rule.columns, ...costColumns, ...rule.billingColumns],
      costs.map(({ scope }, index) => toRow(scope, shown.cells[index], hours.rows[index])),
      toRow(noScope, shown.total, hours.totals),
    ),
    notes: [
      ...money.notes,
      ...(request.isShared ? [shareNote] : []),
      ...(request.project === undefined ? describeMinimums(subject, book, charges) : [projectNote]),
    ],
    gaps: money.gaps,
  };
}

function toRow(
  scope: RowScope,
  cost: Cell,
  [used, included, billed, unpriced]: readonly DecimalText[] = [],
): CostRow {
  return { scope, cost, used, included, billed, unpriced };
}
