import { billingCalendar } from '../../../cost/calendar/billing-calendar.ts';
import { labelBilling } from '../../../cost/calendar/billing-name.ts';
import { type Period, periodsBetween } from '../../../cost/calendar/calendar.ts';
import { type Amount, amountOf, showAmount } from '../../../cost/money/money.ts';
import type { CostLine } from '../../../cost/rating/cost-line.ts';
import { ledgersOf } from '../../../report/ledger-note.ts';
import { nameCharge } from '../../../report/row/scope.ts';
import type { DecimalText, PriceBook } from '../../../resources/price-book.ts';
import { type CellValue, instant, money, seconds, text, toSeconds, whole } from './column.ts';
import { dayCells, dayColumns, type LakeDay, projectCells, projectColumns } from './lake-day.ts';
import type { LakeTable } from './lake-table.ts';

/** The cost of a day's use, and the charges of the billing periods that end in it. */
export const costLines: LakeTable = {
  name: 'cost_lines',
  columns: [
    ...dayColumns,
    ...projectColumns,
    { name: 'kind', type: text },
    { name: 'line', type: text },
    { name: 'plan', type: text },
    { name: 'tier', type: whole },
    { name: 'from_at', type: instant },
    { name: 'until_at', type: instant },
    { name: 'billing_period', type: text },
    { name: 'billing_period_from_at', type: instant },
    { name: 'billing_period_until_at', type: instant },
    { name: 'used_seconds', type: seconds },
    { name: 'included_seconds', type: seconds },
    { name: 'billed_seconds', type: seconds },
    { name: 'unpriced_seconds', type: seconds },
    { name: 'quantity', type: money },
    { name: 'included_quantity', type: money },
    { name: 'unit', type: text },
    { name: 'list_price', type: money },
    { name: 'price', type: money },
    { name: 'plan_currency', type: text },
    { name: 'plan_cost', type: money },
    { name: 'currency', type: text },
    { name: 'cost', type: money },
    { name: 'ledger', type: text },
    { name: 'price_book', type: text },
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
      yield describeLine(day, line, calendar(line.fromAt), book);
    const over = periodsBetween(calendar, { fromAt, untilAt }).filter(period => period.untilAt <= untilAt);
    for (const period of over) {
      const begun = { fromAt: period.fromAt, untilAt: period.fromAt + 1 };
      for (const line of costing.chargeLines(begun, period.untilAt, each => each === account))
        yield describeLine(day, line, period, book);
    }
  },
};

function describeLine(day: LakeDay, line: CostLine, period: Period, book: PriceBook): readonly CellValue[] {
  const { charge, quantity, kind } = line;
  const tier = line.tier === undefined ? undefined : BigInt(line.tier);
  return [
    ...dayCells(day),
    ...projectCells(day, line.project),
    ...[kind, kind === 'usage' ? 'compute' : nameCharge(line), line.plan, tier, line.fromAt, line.untilAt],
    ...[labelBilling(period), period.fromAt, period.untilAt],
    ...[line.usedCuMs, line.includedCuMs, line.billedCuMs, line.unpricedCuMs].map(toSeconds),
    ...[toDecimal(quantity?.value), toDecimal(quantity?.included), quantity?.unit],
    ...[toDecimal(charge?.price?.list), toDecimal(charge?.price?.discounted)],
    ...[charge?.currency, toMoney(charge?.amount), book.displayCurrency, toMoney(charge?.displayAmount)],
    ledgersOf(day.history, book, line).join('+') || undefined,
    day.prices?.fingerprint,
  ];
}

function toDecimal(decimal: DecimalText | undefined): bigint | undefined {
  return decimal === undefined ? undefined : toMoney(amountOf(decimal));
}

/** To eighteen decimals, of two as near the even one. */
function toMoney(amount: Amount | undefined): bigint | undefined {
  return amount === undefined ? undefined : BigInt(showAmount(amount, money.scale).replace('.', ''));
}
