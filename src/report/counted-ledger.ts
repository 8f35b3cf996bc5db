import { isByMeter } from '../cost/rating/chosen-ledger.ts';
import type { ReportHistory } from '../history/usage/report-history.ts';
import type { Span } from '../resources/duration.ts';
import { maxOf } from '../resources/min-max.ts';
import type { ComputeLedger } from '../resources/price-book.ts';
import type { ReportRequest } from './request.ts';

/** The ledger that the compute of a report is by; the best one is the meter where it is complete, and a report may show each. */
export type CountedLedger = ComputeLedger | 'best' | 'each';

/** The ledger of a report: that of its prices where it is of money. */
export function countedLedger({ kind, config }: Pick<ReportRequest, 'kind' | 'config'>): CountedLedger {
  const isOfMoney = ['cost', 'months', 'budgets', 'forecast', 'why', 'showback'].includes(kind);
  if (isOfMoney && config.pricing !== undefined) return config.pricing.ledger ?? 'best';
  return kind === 'usage' ? 'each' : 'reported';
}

/** Whether all compute of an account in a stretch of time is by the meter, so that what else is unknown does not matter. */
export function isMetered(
  { usage }: Pick<ReportHistory, 'usage'>,
  ledger: CountedLedger,
  account: string,
  stretch: Span,
): boolean {
  if (ledger === 'each') return false;
  return isByMeter(usage, ledger === 'best' ? undefined : ledger, account, stretch);
}

/** Since when use of an account is known; endless while nothing is. */
export function countedFrom(
  history: Pick<ReportHistory, 'usage'>,
  ledger: CountedLedger,
  account: string,
): number {
  const { usage } = history;
  const watchedFromAt = usage.knownFrom(account) ?? Number.POSITIVE_INFINITY;
  const metered = usage.metered?.knownSpan(account);
  const isJoined = metered !== undefined && metered.untilAt >= watchedFromAt;
  return isJoined && isMetered(history, ledger, account, metered)
    ? Math.min(watchedFromAt, metered.fromAt)
    : watchedFromAt;
}

/** Since when use of all these accounts is known. */
export function allCountedFrom(
  history: Pick<ReportHistory, 'usage'>,
  ledger: CountedLedger,
  accounts: readonly string[],
): number {
  return maxOf(accounts.map(account => countedFrom(history, ledger, account)));
}
