import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import { withClosed } from '../../cost/closing/closed-costing.ts';
import { readBill } from '../../cost/closing/frozen-bill.ts';
import type { Costing } from '../../cost/rating/costing.ts';
import { isClosed } from '../../history/closing/closed-period-query.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import type { PriceBook } from '../../resources/price-book.ts';

/**
 * A costing by which the closed billing periods of a history cost what they did. Included hours are used up in order of
 * time, so that a bill can be worked out again as long as use is kept by the hour.
 */
export function keepClosed(
  costing: Costing,
  book: PriceBook,
  { closings, keptFromAt, usage }: Pick<ReportHistory, 'closings' | 'keptFromAt' | 'usage'>,
): Costing {
  return withClosed({
    costing,
    billing: billingCalendar(book.billingPeriod),
    bills: closings.filter(isClosed).map(closed => readBill(closed, usage.projects)),
    isRecomputable: ({ fromAt }) => fromAt >= keptFromAt.hours,
  });
}
