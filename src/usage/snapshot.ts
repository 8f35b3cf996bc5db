import { billingCalendar } from '../cost/calendar/billing-calendar.ts';
import type { Calendar } from '../cost/calendar/calendar.ts';
import { estimatePrices, type ScopePrice } from '../cost/forecast/scope-price.ts';
import { cacheReadings } from '../cost/rating/cached-ledger.ts';
import { type Costing, createCosting } from '../cost/rating/costing.ts';
import { type GroupShare, shareByGroup } from '../cost/rating/group-share.ts';
import type { UsageHistory } from '../history/usage/usage-history.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { UsageLedger, UsageProject } from '../resources/usage/ledger.ts';
import type { UsageAnalysis } from './analysis.ts';
import { emptyPriceBook, type UsageOptions } from './options.ts';

/** What everything is worked out from at one moment. */
export interface UsageSnapshot {
  readonly setting: UsageOptions;
  readonly history: UsageHistory;
  readonly ledger: UsageLedger;
  readonly analysis: UsageAnalysis | undefined;
  readonly groups: GroupShare;
  readonly billing: Calendar;
  /** Absent where there is none: all use is unpriced then. */
  readonly book?: PriceBook;
  readonly costing: Costing;
}

export function takeSnapshot(
  setting: UsageOptions,
  history: UsageHistory,
  analysis: UsageAnalysis | undefined,
): UsageSnapshot {
  const { pricing: book, groupings } = setting;
  const groups = shareByGroup(groupings);
  const billing = billingCalendar((book ?? emptyPriceBook).billingPeriod);
  const ledger = cacheReadings(history.usage);
  const costing = createCosting({ book: book ?? emptyPriceBook, ledger, groupsOf: groups.groupsOf });
  return { setting, history, ledger, analysis: analysis, groups, billing, costing, ...(book && { book }) };
}

/** What the projects of a scope will cost; undefined without a price book or before the first survey. */
export function priceScope(
  { ledger, analysis, billing, book, costing }: UsageSnapshot,
  now: number,
  isMeant: (project: UsageProject) => boolean,
): ScopePrice | undefined {
  if (book === undefined || analysis === undefined) return undefined;
  const { recentUse } = analysis;
  const { assignments } = costing;
  return estimatePrices({ book, ledger, assignments, recentUse, billing, now }, isMeant);
}
