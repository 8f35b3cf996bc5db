import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { readBill } from '../../../cost/closing/frozen-bill.ts';
import { currencyDecimals, showAmount } from '../../../cost/money/money.ts';
import { shortFingerprint } from '../../../cost/price/fingerprint.ts';
import { sumLines } from '../../../cost/rating/cost-line.ts';
import { readClosedPeriods, readClosings } from '../../../history/closing/closed-period-query.ts';
import type { ClosedPeriod } from '../../../resources/closed-period.ts';
import { renderReport } from '../../format/rendering.ts';
import type { Column, Report, ReportRow } from '../../format/report.ts';
import type { ReportRequest } from '../../request.ts';
import { readAccounts } from '../account-bill.ts';
import type { BillFormat } from '../bill-format.ts';
import type { BillContext } from '../billed-period.ts';

const columns: readonly Column[] = [
  { key: 'account', kind: 'text' },
  { key: 'billing_period', kind: 'text' },
  { key: 'closed_at', kind: 'instant' },
  { key: 'cost', kind: 'decimal' },
  { key: 'currency', kind: 'text' },
  { key: 'price_book', kind: 'text' },
  { key: 'reopened_at', kind: 'instant' },
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
    columns,
    rows: closings.map(toRow),
    notes: closings.flatMap(each =>
      each.accepted.map(
        sentence => `Accepted for ${labelBilling(each)} of account ${each.account}: ${sentence}`,
      ),
    ),
    partial: false,
  };
}

function toRow(closed: ClosedPeriod): ReportRow {
  const { account, closedAt, reopenedAt, fingerprint, priceBook } = closed;
  const { displayCurrency }: { readonly displayCurrency: string } = JSON.parse(priceBook);
  const { amount } = sumLines(readBill(closed, []).lines);
  const cost = showAmount(amount, currencyDecimals(displayCurrency));
  const book = { text: fingerprint, words: shortFingerprint(fingerprint) };
  return [account, labelBilling(closed), closedAt, cost, displayCurrency, book, reopenedAt];
}

/** The closed billing periods among those that are asked for: one an account at most. */
export function findClosed(request: ReportRequest): readonly ClosedPeriod[] {
  const accounts = readAccounts(request);
  return readClosedPeriods(request.config.history.file).filter(
    ({ account, fromAt, untilAt }) =>
      accounts.includes(account) && fromAt < request.span.untilAt && untilAt > request.span.fromAt,
  );
}
