import { accountLists, type Collector } from '../../resources/collector.ts';
import type { AccountTotals } from './account-query.ts';
import type { Freshness } from './freshness.ts';

/** The totals as they are written, less the success of collectors whose last readings could not be. */
export function withUnwritten(totals: AccountTotals, freshness: Freshness): AccountTotals {
  const isFailing = (collector: Collector) =>
    accountLists.includes(collector) ? freshness.isFailing(collector, '') : !freshness.isWell(collector);
  const failing = totals.collectors.map(({ collector }) => collector).filter(isFailing);
  if (failing.length === 0) return totals;
  const lists = failing.filter(collector => accountLists.includes(collector));
  return {
    ...totals,
    collectors: totals.collectors.map(view =>
      failing.includes(view.collector) ? { ...view, success: false } : view,
    ),
    ...(lists.length > 0 && { up: false }),
    ...(lists.some(collector => freshness.isRefused(collector)) && { authOk: false }),
  };
}
