import { accountLists, type Collector } from '../../resources/collector.ts';
import { compact } from '../../resources/field.ts';
import type { AccountTotals } from './account-query.ts';
import type { Freshness } from './freshness.ts';

/** The totals with the projects that each collector fails at; what a list leaves out is no reading of a project. */
export function withFailing(totals: AccountTotals, freshness: Freshness): AccountTotals {
  const failingOf = (collector: Collector) =>
    accountLists.includes(collector) ? undefined : freshness.failingProjects(collector);
  return {
    ...totals,
    collectors: totals.collectors.map(view => ({
      ...view,
      ...compact({ failing: failingOf(view.collector) }),
    })),
  };
}
