import { billingCalendar } from '../../cost/calendar/billing-calendar.ts';
import type { Calendar } from '../../cost/calendar/calendar.ts';
import { ChargeProjection } from '../../cost/forecast/charge-projection.ts';
import { forecastUse } from '../../cost/forecast/forecast.ts';
import { PriceEstimator, type ScopePrice } from '../../cost/forecast/scope-price.ts';
import { emptyPriceBook } from '../../cost/price/empty-price-book.ts';
import { cacheReadings } from '../../cost/rating/chosen-ledger.ts';
import { type Costing, createCosting } from '../../cost/rating/costing.ts';
import { type GroupShare, shareByGroup } from '../../cost/rating/group-share.ts';
import { oncePerLook } from '../../history/usage/once-per-look.ts';
import type { SeenUsage } from '../../history/usage/usage-history.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { UsageLedger, UsageProject } from '../../resources/usage/ledger.ts';
import type { UsageAnalysis } from './analysis.ts';
import { accountScopeName, type UsageOptions } from './options.ts';

/** Everything a calculation is made from, as it was at one moment. */
export interface UsageSnapshot {
  readonly options: UsageOptions;
  readonly history: SeenUsage;
  readonly ledger: UsageLedger;
  readonly analysis: UsageAnalysis | undefined;
  readonly groups: GroupShare;
  readonly billing: Calendar;
  /** Absent where none is configured: all use is unpriced then. */
  readonly book?: PriceBook;
  readonly costing: Costing;
}

/** @param analysis undefined before the first. */
export function takeSnapshot(
  options: UsageOptions,
  history: SeenUsage,
  analysis: UsageAnalysis | undefined,
): UsageSnapshot {
  const { pricing: book, unpriced = emptyPriceBook, groupings } = options;
  const rules = book ?? unpriced;
  const groups = shareByGroup(groupings);
  const billing = billingCalendar(rules.billingPeriod);
  const ledger = cacheReadings(history.usage);
  const costing = createCosting({ book: rules, ledger, groupsOf: groups.groupsOf });
  return { options, history, ledger, analysis, groups, billing, costing, ...(book && { book }) };
}

/** Prices of the use to come of a scope's projects; undefined without a price book or before the first analysis. */
export function priceScope(
  { ledger, analysis, billing, book, costing }: Omit<UsageSnapshot, 'history'>,
  now: number,
  isMeant: (project: UsageProject) => boolean,
): ScopePrice | undefined {
  if (book === undefined || analysis === undefined) return undefined;
  const { recentUse } = analysis;
  const assignments = costing.assignmentsAt(now);
  return new PriceEstimator({ book, ledger, assignments, recentUse, billing, now }).ofScope(isMeant);
}

/** By the instant until which use is known. */
const projectionOf = oncePerLook<number, ChargeProjection>();

/** The charges of accounts to come; undefined without a price book or before the first analysis. */
export function projectCharges(
  snapshot: Omit<UsageSnapshot, 'history'>,
  now: number,
): ChargeProjection | undefined {
  const { ledger, analysis, billing, book, groups } = snapshot;
  if (book === undefined || analysis === undefined) return undefined;
  const { recentUse, forecasts } = analysis;
  const make = () =>
    new ChargeProjection({
      ledger,
      now,
      recentUse,
      billing,
      costingOf: projected => createCosting({ book, ledger: projected, groupsOf: groups.groupsOf }),
      forecastOf: (account, untilAt) => {
        const past = forecasts.get(accountScopeName(account));
        return past && forecastUse(past, untilAt);
      },
    });
  return projectionOf(snapshot, now, make);
}
