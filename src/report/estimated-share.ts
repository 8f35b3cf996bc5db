import { isByMeter } from '../cost/rating/chosen-ledger.ts';
import type { Costing, UsedUpPool } from '../cost/rating/costing.ts';
import { dayMs, hourMs, type Span } from '../resources/duration.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { ReportSubject } from './content.ts';
import { showInstant } from './format/shown-cell.ts';

/**
 * Sentences on what projects share of a plan, such as included hours, where only the sum is known of the time in which it was
 * used up: what each of them had of it follows from the order of their use, which is estimated then.
 */
export function describeEstimatedShares(
  { history, request }: Pick<ReportSubject, 'history' | 'request'>,
  book: PriceBook,
  costing: Pick<Costing, 'usedUpPools'>,
): string[] {
  const { span } = request;
  const show = (at: number) => showInstant(at, span.timezone);
  const said = costing.usedUpPools(span).flatMap(pool => {
    if (!history.accounts.includes(pool.account)) return [];
    const sum = sumAround(history, book, pool);
    if (sum === undefined || sum.untilAt <= span.fromAt || sum.fromAt >= span.untilAt) return [];
    return [
      `What projects share of plan ${pool.plan} of account ${pool.account}, included hours or a tier, was used up between ${show(sum.fromAt)} and ${show(sum.untilAt)}, and only the sum is known: how much each project had of it, and so what each costs, is estimated. The total is exact.`,
    ];
  });
  return [...new Set(said)];
}

/** The time around the hour in which a pool was used up where only the sum is known; undefined where the hour is. */
function sumAround(
  { usage, meter, keptFromAt }: ReportSubject['history'],
  { ledger }: PriceBook,
  { account, hourAt }: UsedUpPool,
): Span | undefined {
  const untilAt = hourAt + hourMs;
  if (isByMeter(usage, ledger, account, { fromAt: hourAt, untilAt }))
    return meter.sumAround(account, hourAt) ?? meter.sumAround(account, untilAt);
  if (hourAt >= keptFromAt.hours) return undefined;
  const dayAt = Math.floor(hourAt / dayMs) * dayMs;
  return { fromAt: dayAt, untilAt: dayAt + dayMs };
}
