import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { bookInPeriod } from '../../../cost/closing/book-in-period.ts';
import { readBill, writeLines } from '../../../cost/closing/frozen-bill.ts';
import { currencyDecimals, showAmount } from '../../../cost/money/money.ts';
import { fingerprintOfText, shortFingerprint } from '../../../cost/price/fingerprint.ts';
import { sumLines } from '../../../cost/rating/cost-line.ts';
import {
  readClosedPeriods,
  readClosings,
  recordClosed,
  recordReopened,
} from '../../../history/closing/closed-period.ts';
import type { ClosedPeriod } from '../../../resources/closed-period.ts';
import { Failure } from '../../../resources/failure.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import { dateOf } from '../../../resources/utc-date.ts';
import { renderReport } from '../../format/rendering.ts';
import { column, type Report, type RowColumn, tabulate } from '../../format/report.ts';
import type { BillFormat } from '../../kind.ts';
import type { ReportRequest } from '../../request.ts';
import { requirePricing } from '../../row/scoped-cost.ts';
import {
  type AccountBill,
  type BillContext,
  type BillOptions,
  readAccounts,
  readBilledPeriod,
  showSum,
  workOutBills,
} from '../account-bill.ts';

export interface CloseOptions extends BillOptions {
  /** Whether what is not known is accepted. */
  readonly anyway: boolean;
}

/** What was closed: a sentence on each account, and sentences on what was not known and is accepted. */
export interface Closing {
  readonly sentences: readonly string[];
  readonly accepted: readonly string[];
}

/**
 * Closes a billing period that is over: from then on its bill stays as it is now. All accounts that are asked for are
 * closed or, if one of them cannot be, none.
 *
 * @throws Failure when it cannot be closed, HistoryError when the history cannot be read or written.
 */
export async function closePeriod(options: CloseOptions, context: BillContext): Promise<Closing> {
  const request = await readBilledPeriod(options, context);
  refuseClosed(request);
  const bills = workOutBills(request);
  const unknown = bills.flatMap(bill => bill.unknown);
  if (unknown.length > 0 && !options.anyway) {
    throw new Failure(
      `the billing period ${labelBilling(request.span)} is not closed, as it is not wholly known: ${unknown.join(' ')} To accept that, close it with --anyway.`,
    );
  }
  const closed = bills.map(bill => freezeBill(bill, request));
  recordClosed(context.config.history.file, closed);
  const { displayCurrency } = requirePricing(request);
  const sentences = closed.flatMap(({ account, fingerprint }, index) => {
    const { lines = [], notes = [] } = bills[index] ?? {};
    const sum = showSum(lines, displayCurrency);
    const sentence = `The billing period ${labelBilling(request.span)} of account ${account} is closed: ${sum}, price book ${shortFingerprint(fingerprint)}.`;
    return [sentence, ...notes];
  });
  return { sentences, accepted: unknown };
}

function refuseClosed(request: ReportRequest): void {
  const [before] = findClosed(request);
  if (before === undefined) return;
  const closedAt = dateOf(before.closedAt);
  throw new Failure(
    `the billing period ${labelBilling(before)} of account ${before.account} is closed already, since ${closedAt}: leave it as it is, name another account with --account, or open it again with --reopen`,
  );
}

function freezeBill(
  { account, lines, planLines, unknown }: AccountBill,
  request: ReportRequest,
): ClosedPeriod {
  const { fromAt, untilAt } = request.span;
  const priceBook = bookInPeriod(
    requirePricing(request),
    { fromAt, untilAt },
    account,
    request.config.groupings,
  );
  return {
    account,
    fromAt,
    untilAt,
    closedAt: request.now,
    fingerprint: fingerprintOfText(priceBook),
    priceBook,
    lines: writeLines([...lines, ...planLines()]),
    accepted: unknown,
  };
}

/**
 * Opens a closed billing period again: its bill is worked out anew from then on. That it was closed stays on record.
 *
 * @returns a sentence on each account.
 * @throws Failure when it is not closed or cannot be opened, HistoryError when the history cannot be read or written.
 */
export async function reopenPeriod(options: BillOptions, context: BillContext): Promise<readonly string[]> {
  const request = await readBilledPeriod(options, context);
  const closed = findClosed(request);
  if (closed.length === 0) {
    throw new Failure(
      `the billing period ${labelBilling(request.span)} is not closed: close --list shows which are`,
      'usage',
    );
  }
  const { file } = context.config.history;
  for (const each of closed) refuseAdjusted(each, readClosedPeriods(file));
  recordReopened(file, closed, request.now);
  return closed.map(
    each => `The billing period ${labelBilling(each)} of account ${each.account} is open again.`,
  );
}

/** What was found later and is in the bill of a later closed period would be charged twice. */
function refuseAdjusted({ account, fromAt, ...rest }: ClosedPeriod, all: readonly ClosedPeriod[]): void {
  const later = all
    .filter(each => each.account === account)
    .find(each => readBill(each, []).lines.some(({ foundOf }) => foundOf === fromAt));
  if (later === undefined) return;
  const name = labelBilling({ fromAt, untilAt: rest.untilAt });
  throw new Failure(
    `the billing period ${labelBilling(later)} of account ${account} is closed with what was found later for ${name}: open that one again first`,
  );
}

interface ClosedRow {
  readonly closed: ClosedPeriod;
  readonly cost: DecimalText;
  readonly currency: string;
}

const columns: readonly RowColumn<ClosedRow>[] = [
  column('account', 'text', 'The account.', row => row.closed.account),
  column('billing_period', 'text', 'The billing period, by its dates.', ({ closed }) => labelBilling(closed)),
  column('closed_at', 'instant', 'When it was closed.', row => row.closed.closedAt),
  column('cost', 'decimal', 'What it cost.', row => row.cost),
  column('currency', 'text', 'The currency of its cost.', row => row.currency),
  column('price_book', 'text', 'The fingerprint of its price book.', ({ closed }) => ({
    text: closed.fingerprint,
    words: shortFingerprint(closed.fingerprint),
  })),
  column('reopened_at', 'instant', 'When it was opened again.', row => row.closed.reopenedAt),
];

/** The list of all billing periods that were ever closed, as a text. */
export function renderClosed(context: BillContext, format: BillFormat): string {
  return renderReport(listClosed(context), format);
}

/** All billing periods that were ever closed, with what was not known of them. */
function listClosed({ config, now }: BillContext): Report {
  const closings = readClosings(config.history.file);
  const fromAt = closings.reduce((least, each) => Math.min(least, each.fromAt), now);
  return {
    title: 'Closed billing periods',
    generatedAt: now,
    period: { label: 'all', fromAt, untilAt: now, timezone: config.usage.timezone },
    ...tabulate(columns, closings.map(toRow)),
    notes: closings.flatMap(each =>
      each.accepted.map(
        sentence => `Accepted for ${labelBilling(each)} of account ${each.account}: ${sentence}`,
      ),
    ),
    partial: false,
  };
}

function toRow(closed: ClosedPeriod): ClosedRow {
  const { displayCurrency: currency }: { readonly displayCurrency: string } = JSON.parse(closed.priceBook);
  const { amount } = sumLines(readBill(closed, []).lines);
  return { closed, cost: showAmount(amount, currencyDecimals(currency)), currency };
}

/** The asked billing periods that are closed: at most one for each account. */
function findClosed(request: ReportRequest): readonly ClosedPeriod[] {
  const accounts = readAccounts(request);
  return readClosedPeriods(request.config.history.file).filter(
    ({ account, fromAt, untilAt }) =>
      accounts.includes(account) && fromAt < request.span.untilAt && untilAt > request.span.fromAt,
  );
}
