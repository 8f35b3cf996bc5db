import { billingCalendar } from '../../../cost/calendar/billing-calendar.ts';
import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { type Period, periodsBetween } from '../../../cost/calendar/calendar.ts';
import { type Amount, amountOf, showAmount } from '../../../cost/money/money.ts';
import type { CostLine } from '../../../cost/rating/cost-line.ts';
import { storedDecimals } from '../../../report/format/value-kind.ts';
import { ledgersOf } from '../../../report/ledger-note.ts';
import { nameCharge } from '../../../report/row/scope.ts';
import type { DecimalText, PriceBook } from '../../../resources/price-book.ts';
import { dayColumns, type LakeDay, type PlacedRow, placeOf, projectColumns } from './lake-day.ts';
import { lakeTable } from './lake-table.ts';

interface LineRow extends PlacedRow {
  readonly day: LakeDay;
  readonly line: CostLine;
  readonly period: Period;
  readonly book: PriceBook;
}

/** The cost of a day's use, and the charges of the billing periods that end in it. */
export const costLines = lakeTable<LineRow>({
  name: 'cost_lines',
  about: "The cost of a day's use by project and price, and charges of billing periods that end in the day.",
  columns: [
    ...dayColumns,
    ...projectColumns,
    { key: 'kind', kind: 'text', about: 'What kind of line it is.', of: row => row.line.kind },
    {
      ...{ key: 'line', kind: 'text', about: 'What is charged.' },
      of: ({ line }) => (line.kind === 'usage' ? 'compute' : nameCharge(line)),
    },
    { key: 'plan', kind: 'text', about: 'The plan it is charged by.', of: row => row.line.plan },
    { key: 'tier', kind: 'count', about: 'The tier of its price, from 1.', of: row => row.line.tier },
    { key: 'from_at', kind: 'instant', about: 'When its time began.', of: row => row.line.fromAt },
    { key: 'until_at', kind: 'instant', about: 'The first instant after it.', of: row => row.line.untilAt },
    {
      ...{ key: 'billing_period', kind: 'text', about: 'The billing period, by its dates.' },
      of: ({ period }) => labelBilling(period),
    },
    {
      ...{ key: 'billing_period_from_at', kind: 'instant', about: 'When that began.' },
      of: row => row.period.fromAt,
    },
    {
      ...{ key: 'billing_period_until_at', kind: 'instant', about: 'The first instant after it.' },
      of: row => row.period.untilAt,
    },
    {
      ...{ key: 'used_seconds', kind: 'seconds', about: 'CU-seconds that were used.' },
      of: row => row.line.usedCuMs,
    },
    {
      ...{ key: 'included_seconds', kind: 'seconds', about: 'CU-seconds that a plan includes.' },
      of: row => row.line.includedCuMs,
    },
    {
      ...{ key: 'billed_seconds', kind: 'seconds', about: 'CU-seconds that have a price.' },
      of: row => row.line.billedCuMs,
    },
    {
      ...{ key: 'unpriced_seconds', kind: 'seconds', about: 'CU-seconds that no plan or price is for.' },
      of: row => row.line.unpricedCuMs,
    },
    {
      ...{ key: 'quantity', kind: 'decimal', about: 'How much else was billed.' },
      of: ({ line }) => inFull(line.quantity?.value),
    },
    {
      ...{ key: 'included_quantity', kind: 'decimal', about: 'How much of that was free of charge.' },
      of: ({ line }) => inFull(line.quantity?.included),
    },
    { key: 'unit', kind: 'text', about: 'The unit of the quantity.', of: row => row.line.quantity?.unit },
    {
      ...{ key: 'list_price', kind: 'decimal', about: 'The price of a unit before discounts.' },
      of: ({ line }) => inFull(line.charge?.price?.list),
    },
    {
      ...{ key: 'price', kind: 'decimal', about: 'The price of a unit.' },
      of: ({ line }) => inFull(line.charge?.price?.discounted),
    },
    {
      ...{ key: 'plan_currency', kind: 'text', about: 'The currency of the plan.' },
      of: row => row.line.charge?.currency,
    },
    {
      ...{ key: 'plan_cost', kind: 'decimal', about: 'What it costs in that.' },
      of: ({ line }) => show(line.charge?.amount),
    },
    { key: 'currency', kind: 'text', about: 'The currency of reports.', of: row => row.book.displayCurrency },
    {
      ...{ key: 'cost', kind: 'decimal', about: 'What it costs in that.' },
      of: ({ line }) => show(line.charge?.displayAmount),
    },
    {
      ...{ key: 'ledger', kind: 'text', about: 'The ledger that its compute is by.' },
      of: ({ day, book, line }) => ledgersOf(day.history, book, line).join('+') || undefined,
    },
    {
      ...{ key: 'price_book', kind: 'text', about: 'The fingerprint of the price book.' },
      of: row => row.day.prices?.fingerprint,
    },
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
    const over = periodsBetween(calendar, { fromAt, untilAt }).filter(period => period.untilAt <= untilAt);
    for (const period of over) {
      const begun = { fromAt: period.fromAt, untilAt: period.fromAt + 1 };
      for (const line of costing.chargeLines(begun, period.untilAt, each => each === account))
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
