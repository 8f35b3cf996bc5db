import { billingCalendar } from '../../../cost/calendar/billing-calendar.ts';
import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { type Period, periodsBetween } from '../../../cost/calendar/calendar.ts';
import { type Amount, amountOf, showAmount } from '../../../cost/money/money.ts';
import type { CostLine } from '../../../cost/rating/cost-line.ts';
import { storedDecimals } from '../../../report/format/value-kind.ts';
import { ledgersOf } from '../../../report/ledger-note.ts';
import { nameCharge } from '../../../report/row/scope.ts';
import type { DecimalText, PriceBook } from '../../../resources/price-book.ts';
import { type ParquetDay, type PlacedRow, placeOf } from './parquet-day.ts';
import { column, parquetTable } from './parquet-table.ts';

interface LineRow extends PlacedRow {
  readonly day: ParquetDay;
  readonly line: CostLine;
  readonly period: Period;
  readonly book: PriceBook;
}

/** The cost of a day's use, and the charges of the billing periods that end in it. */
export const costLines = parquetTable<LineRow>({
  name: 'cost_lines',
  about: "The cost of a day's use by project and price, and charges of billing periods that end in the day.",
  columns: [
    column('kind', 'text', 'What kind of line it is.', row => row.line.kind),
    column('line', 'text', 'What is charged.', ({ line }) =>
      line.kind === 'usage' ? 'compute' : nameCharge(line),
    ),
    column('plan', 'text', 'The plan it is charged by.', row => row.line.plan),
    column('tier', 'count', 'The tier of its price, from 1.', row => row.line.tier),
    column('from_at', 'instant', 'When its time began.', row => row.line.fromAt),
    column('until_at', 'instant', 'The first instant after it.', row => row.line.untilAt),
    column('billing_period', 'text', 'The billing period, by its dates.', ({ period }) =>
      labelBilling(period),
    ),
    column('billing_period_from_at', 'instant', 'When that began.', row => row.period.fromAt),
    column('billing_period_until_at', 'instant', 'The first instant after it.', row => row.period.untilAt),
    column('used_seconds', 'seconds', 'CU-seconds that were used.', row => row.line.usedCuMs),
    column('included_seconds', 'seconds', 'CU-seconds that a plan includes.', row => row.line.includedCuMs),
    column('billed_seconds', 'seconds', 'CU-seconds that have a price.', row => row.line.billedCuMs),
    column(
      'unpriced_seconds',
      'seconds',
      'CU-seconds that no plan or price is for.',
      row => row.line.unpricedCuMs,
    ),
    column('quantity', 'decimal', 'How much else was billed.', ({ line }) => inFull(line.quantity?.value)),
    column('included_quantity', 'decimal', 'How much of that was free of charge.', ({ line }) =>
      inFull(line.quantity?.included),
    ),
    column('unit', 'text', 'The unit of the quantity.', row => row.line.quantity?.unit),
    column('list_price', 'decimal', 'The price of a unit before discounts.', ({ line }) =>
      inFull(line.charge?.price?.list),
    ),
    column('price', 'decimal', 'The price of a unit.', ({ line }) => inFull(line.charge?.price?.discounted)),
    column('plan_currency', 'text', 'The currency of the plan.', row => row.line.charge?.currency),
    column('plan_cost', 'decimal', 'What it costs in that.', ({ line }) => show(line.charge?.amount)),
    column('currency', 'text', 'The currency of reports.', row => row.book.displayCurrency),
    column('cost', 'decimal', 'What it costs in that.', ({ line }) => show(line.charge?.displayAmount)),
    column(
      'ledger',
      'text',
      'The ledger that its compute is by.',
      ({ day, book, line }) => ledgersOf(day.history, book, line).join('+') || undefined,
    ),
    column('price_book', 'text', 'The fingerprint of the price book.', row => row.day.prices?.fingerprint),
  ],
  // Included hours are used up in order of time, which days do not tell.
  keptFromAt: ({ history }) => history.keptFromAt.hours,
  *rows(day) {
    const { prices, account, fromAt, untilAt } = day;
    if (prices === undefined) return;
    const { book, costing } = prices;
    const calendar = billingCalendar(book.billingPeriod);
    const isMeant = (each: { readonly account: string }) => each.account === account;
    for (const line of costing.usageLines({ fromAt, untilAt }, isMeant))
      yield { place: placeOf(day, line.project), day, line, period: calendar(line.fromAt), book };
    const isOwn = (each: string) => each === account;
    const over = periodsBetween(calendar, { fromAt, untilAt }).filter(period => period.untilAt <= untilAt);
    for (const period of over) {
      const begun = { fromAt: period.fromAt, untilAt: period.fromAt + 1 };
      for (const line of costing.chargeLines(begun, period.untilAt, isOwn, [{ fromAt, untilAt }]))
        yield { place: placeOf(day, line.project), day, line, period, book };
    }
  },
});

/** To all digits that are stored, of two as near the even one. */
function show(amount: Amount | undefined): DecimalText | undefined {
  return amount && showAmount(amount, storedDecimals);
}

function inFull(decimal: DecimalText | undefined): DecimalText | undefined {
  return show(decimal === undefined ? undefined : amountOf(decimal));
}
