import { askForBilling, labelBilling } from '../cost/calendar/billing-name.ts';
import { shortFingerprint } from '../cost/price/fingerprint.ts';
import { isClosed } from '../history/closing/closed-period.ts';
import type { ClosedPeriod } from '../resources/closed-period.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { ReportSubject } from './content.ts';
import { showInstant } from './format/shown-cell.ts';
import { cutSubject } from './row/step.ts';

/** Sentences on the closed billing periods in a report of cost or use: which are as they were, and which are worked out anew. */
export function describeClosed(subject: ReportSubject, book: PriceBook): readonly string[] {
  const { history, request } = subject;
  const { span, kind, by, format, whatIf } = request;
  const isCutByDay = by === 'endpoint' && format !== 'focus';
  const isAnew = isCutByDay || whatIf !== undefined || kind === 'usage';
  const used = isAnew ? [] : cutSubject(subject).map(step => step.request.span);
  const within = history.closings.filter(
    ({ fromAt, untilAt }) => fromAt < span.untilAt && untilAt > span.fromAt,
  );
  const isWhole = ({ fromAt, untilAt }: ClosedPeriod) =>
    used.some(part => fromAt >= part.fromAt && untilAt <= part.untilAt);
  const anew = sayAnew(request);
  const show = (at: number) => showInstant(at, span.timezone);
  return [...Map.groupBy(within, ({ account }) => account)].flatMap(([account, closings]) => {
    const closed = closings.filter(isClosed);
    const reopened = closings.filter(
      each => !isClosed(each) && !closed.some(({ fromAt }) => fromAt === each.fromAt),
    );
    return [
      ...describeFrozen(account, closed.filter(isWhole), show),
      ...closed
        .filter(each => !isWhole(each))
        .map(
          each =>
            `${nameOf(each)} is closed, and ${anew}. report cost --period ${askForBilling(each, book.billingPeriod)} has the lines of the bill.`,
        ),
      ...reopened.map(
        each =>
          `${nameOf(each)} was closed on ${show(each.closedAt)} and opened again on ${show(each.reopenedAt ?? 0)}.`,
      ),
    ];
  });
}

function sayAnew({ kind, whatIf }: ReportSubject['request']): string {
  if (kind === 'usage') return 'this report has its use as it is known now';
  return whatIf === undefined
    ? 'this report has its use in other parts than the bill: it is worked out anew, and an adjustment beside its charges takes off what was found later'
    : 'its cost is worked out anew under both price books';
}

function describeFrozen(
  account: string,
  closed: readonly ClosedPeriod[],
  show: (at: number) => string,
): readonly string[] {
  const [first] = closed;
  const last = closed.at(-1);
  if (first === undefined || last === undefined) return [];
  if (closed.length > 1) {
    const stretch = `from ${labelBilling(first)} to ${labelBilling(last)}`;
    return [
      `${closed.length} billing periods of account ${account} ${stretch} are closed, the last on ${show(last.closedAt)}: their bills are those of then.`,
    ];
  }
  const book = `price book ${shortFingerprint(first.fingerprint)}`;
  return [`${nameOf(first)} was closed on ${show(first.closedAt)} with ${book}: its bill is that of then.`];
}

function nameOf(closed: ClosedPeriod): string {
  return `Billing period ${labelBilling(closed)} of account ${closed.account}`;
}
