import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import { askForBilling, labelBilling } from '../cost/calendar/billing-name.ts';
import { type Period, periodsBetween } from '../cost/calendar/calendar.ts';
import { compareAmounts, currencyDecimals, noAmount, showAmount } from '../cost/money/money.ts';
import { type CostLine, sumLines } from '../cost/rating/cost-line.ts';
import { maxOf, minOf } from '../resources/min-max.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { ReportSubject } from './content.ts';
import { showInstant } from './format/shown-cell.ts';

/**
 * Sentences on the minimum charges in a report and on minimums that are not in it yet; none where no plan has a minimum.
 *
 * @param charges the lines that are in the report.
 */
export function describeMinimums(
  subject: ReportSubject,
  book: PriceBook,
  charges: readonly CostLine[],
): string[] {
  if (book.plans.every(({ minimum }) => minimum === undefined)) return [];
  const minimums = charges.filter(({ kind }) => kind === 'minimum');
  const begun = periodsBegun(subject, book);
  return [
    ...describeHidden(subject, book, minimums),
    ...describeOpen(subject, begun),
    ...describeCut(subject, book, minimums),
    ...(begun.length === 0
      ? [
          'A minimum charge belongs to the day on which its billing period begins: none begins in this period, so none is in it.',
        ]
      : []),
  ];
}

/** Sentences on billing periods that are over and not read to their end: whether a minimum is due is not known. */
export function describeUnreadMinimums(subject: ReportSubject, book: PriceBook): string[] {
  if (book.plans.every(({ minimum }) => minimum === undefined)) return [];
  const { history, request } = subject;
  const over = periodsBegun(subject, book).filter(({ untilAt }) => untilAt <= request.now);
  return history.accounts.flatMap(account => {
    const knownUntilAt = history.usage.knownUntil(account);
    const unread = over.find(({ untilAt }) => knownUntilAt !== undefined && untilAt > knownUntilAt);
    if (knownUntilAt === undefined || unread === undefined) return [];
    const known = showInstant(knownUntilAt, request.span.timezone);
    return [
      `What account ${account} used in the billing period ${labelBilling(unread)} is known only until ${known}: a minimum charge for it is not in it.`,
    ];
  });
}

/** The billing periods that belong to the report and have begun, oldest first. */
function periodsBegun({ request }: ReportSubject, book: PriceBook): Period[] {
  const { fromAt, untilAt } = request.billedStretch;
  const stretch = { fromAt, untilAt: Math.min(untilAt, request.now) };
  const all = periodsBetween(billingCalendar(book.billingPeriod), stretch);
  return all.filter(period => period.fromAt >= fromAt);
}

/** In rows of accounts minimum charges are not to be seen. */
function describeHidden({ request }: ReportSubject, book: PriceBook, minimums: readonly CostLine[]) {
  const { amount } = sumLines(minimums);
  if (request.by !== 'account' || compareAmounts(amount, noAmount) <= 0) return [];
  const shown = showAmount(amount, currencyDecimals(book.displayCurrency));
  return [`Minimum charges of ${shown} (${describePeriods(minimums)}) are in the rows of their accounts.`];
}

/** The billing period of minimum charges, or the stretch that several cover. */
function describePeriods(minimums: readonly CostLine[]): string {
  const [first = '', ...others] = new Set(minimums.map(labelBilling));
  if (others.length === 0) return first;
  const fromAt = minOf(minimums.map(line => line.fromAt));
  const untilAt = maxOf(minimums.map(line => line.untilAt));
  return `${others.length + 1} billing periods of ${labelBilling({ fromAt, untilAt })}`;
}

function describeOpen({ request }: ReportSubject, begun: readonly Period[]): string[] {
  const open = begun.find(({ untilAt }) => untilAt > request.now);
  return open === undefined
    ? []
    : [
        `A minimum charge is due when its billing period ends: of the one that ends at ${showInstant(open.untilAt, request.span.timezone)} none is in it.`,
      ];
}

/** A note where use is of other hours than the minimum charges, as it is in the months of a zone. */
function describeCut({ request }: ReportSubject, book: PriceBook, minimums: readonly CostLine[]): string[] {
  const { fromAt, untilAt, timezone } = request.span;
  const cut = minimums.find(line => line.fromAt < fromAt || line.untilAt > untilAt);
  if (cut === undefined) return [];
  const [from, until] = [cut.fromAt, cut.untilAt].map(at => showInstant(at, timezone));
  return [
    `The minimum charge of ${labelBilling(cut)} is that of a billing period from ${from} to ${until}: --period ${askForBilling(cut, book.billingPeriod)} reports what it comes to in all.`,
  ];
}
