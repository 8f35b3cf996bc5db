import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { readBill } from '../../../cost/closing/frozen-bill.ts';
import { currencyDecimals, showAmount } from '../../../cost/money/money.ts';
import { shortFingerprint } from '../../../cost/price/fingerprint.ts';
import { sumLines } from '../../../cost/rating/cost-line.ts';
import { readClosedPeriods, readClosings } from '../../../history/closing/closed-period.ts';
import type { ClosedPeriod } from '../../../resources/closed-period.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import { renderReport } from '../../format/rendering.ts';
import { column, type Report, type RowColumn, tabulate } from '../../format/report.ts';
import type { BillFormat } from '../../kind.ts';
import type { ReportRequest } from '../../request.ts';
import { readAccounts } from '../account-bill.ts';
import type { BillContext } from '../billed-period.ts';

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
export function findClosed(request: ReportRequest): readonly ClosedPeriod[] {
  const accounts = readAccounts(request);
  return readClosedPeriods(request.config.history.file).filter(
    ({ account, fromAt, untilAt }) =>
      accounts.includes(account) && fromAt < request.span.untilAt && untilAt > request.span.fromAt,
  );
}
