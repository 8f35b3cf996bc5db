import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import { compareAmounts, currencyDecimals, noAmount, showAmount } from '../cost/money/money.ts';
import { sumLines } from '../cost/rating/cost-line.ts';
import type { PriceBook } from '../resources/price-book.ts';
import { type ReportContent, type ReportSubject, titleOf } from './content.ts';
import { describeUnknown, showCosts } from './format/cost-text.ts';
import { showHourParts } from './format/hour-text.ts';
import type { Column } from './format/report.ts';
import { showInstant } from './format/shown-cell.ts';
import { dearestFirst, dueMinimums, gatherCosts, priceUse, requirePricing } from './row/scoped-cost.ts';
import { compareBooks } from './what-if.ts';

const columns: readonly Column[] = [
  { key: 'cost', kind: 'decimal' },
  { key: 'used_hours', kind: 'decimal' },
  { key: 'included_hours', kind: 'decimal' },
  { key: 'billed_hours', kind: 'decimal' },
  { key: 'unpriced_hours', kind: 'decimal' },
];

/**
 * The report of cost in the display currency of the price book, dearest first.
 *
 * @throws Failure when the configuration has no prices.
 */
export function reportCost(subject: ReportSubject): ReportContent {
  const { request, rule } = subject;
  const book = requirePricing(subject);
  if (request.whatIf !== undefined) return compareBooks(subject, book, request.whatIf);
  const costs = [...gatherCosts(subject, book)].sort(dearestFirst);
  const decimals = currencyDecimals(book.displayCurrency);
  const shown = showCosts(costs, decimals);
  const hours = showHourParts(costs.map(({ sum }) => [sum.includedCuMs, sum.billedCuMs, sum.unpricedCuMs]));
  const minimums = request.by === 'account' ? dueMinimums(subject, priceUse(subject, book)) : [];
  const minimum = sumLines(minimums).amount;
  return {
    title: titleOf('Cost', request),
    currency: book.displayCurrency,
    columns: [...rule.columns, ...columns],
    rows: costs.map(({ scope }, index) => [...scope.cells, shown.cells[index], ...(hours.rows[index] ?? [])]),
    totals: [...rule.columns.map((_, index) => (index === 0 ? 'total' : '')), shown.total, ...hours.totals],
    notes: [
      ...(compareAmounts(minimum, noAmount) > 0
        ? [`Minimum charges of ${showAmount(minimum, decimals)} are in the rows of their accounts.`]
        : []),
      ...describeOpenMinimums(subject, book),
    ],
    gaps: describeUnknown(costs),
  };
}

/** A note where the period ends before its billing period does, as it may by the clocks of another zone. */
function describeOpenMinimums({ request }: ReportSubject, book: PriceBook): string[] {
  if (book.plans.every(({ minimum }) => minimum === undefined)) return [];
  const { untilAt, timezone } = request.span;
  const billed = billingCalendar(book.billingPeriod)(untilAt - 1);
  return billed.untilAt > untilAt
    ? [
        `A minimum charge is due when its billing period ends: of the one that ends at ${showInstant(billed.untilAt, timezone)} none is in it.`,
      ]
    : [];
}
