import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { readBill } from '../../../cost/closing/frozen-bill.ts';
import { currencyDecimals, showAmount } from '../../../cost/money/money.ts';
import { shortFingerprint } from '../../../cost/price/fingerprint.ts';
import { sumLines } from '../../../cost/rating/cost-line.ts';
import { readClosedPeriods, readClosings } from '../../../history/closing/closed-period.ts';
import type { ClosedPeriod } from '../../../resources/closed-period.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import { renderReport } from '../../format/rendering.ts';
import { type Report, type RowColumn, tabulate } from '../../format/report.ts';
import type { ReportRequest } from '../../request.ts';
import { readAccounts } from '../account-bill.ts';
import type { BillFormat } from '../bill-format.ts';
import type { BillContext } from '../billed-period.ts';

interface ClosedRow {
  readonly closed: ClosedPeriod;
  readonly cost: DecimalText;
  readonly currency: string;
}

const columns: readonly RowColumn<ClosedRow>[] = [
  { key: 'account', kind: 'text', about: 'The account.', of: row => row.closed.account },
  {
    ...{ key: 'billing_period', kind: 'text', about: 'The billing period, by its dates.' },
    of: ({ closed }) => labelBilling(closed),
  },
  { key: 'closed_at', kind: 'instant', about: 'When it was closed.', of: row => row.closed.closedAt },
  { key: 'cost', kind: 'decimal', about: 'What it cost.', of: row => row.cost },
  { key: 'currency', kind: 'text', about: 'The currency of its cost.', of: row => row.currency },
  {
    ...{ key: 'price_book', kind: 'text', about: 'The fingerprint of its price book.' },
    of: ({ closed }) => ({ text: closed.fingerprint, words: shortFingerprint(closed.fingerprint) }),
  },
  {
    ...{ key: 'reopened_at', kind: 'instant', about: 'When it was opened again.' },
    of: row => row.closed.reopenedAt,
  },
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
