import { billingCalendar } from './cost/billing-calendar.ts';
import type { Calendar } from './cost/calendar.ts';
import { type Costing, createCosting } from './cost/costing.ts';
import { type GroupShare, shareByGroup } from './cost/group-share.ts';
import { rememberReadings } from './cost/remembered-ledger.ts';
import { estimatePrices, type ScopePrice } from './cost/scope-price.ts';
import type { UsageHistory } from './history/usage-history.ts';
import type { PriceBook } from './resources/price-book.ts';
import type { UsageLedger, UsageProject } from './resources/usage-ledger.ts';
import { noPrices, type UsageSetting } from './usage-setting.ts';
import type { UsageSurvey } from './usage-survey.ts';

/** What everything is worked out from at one moment. */
export interface UsageBasis {
  readonly setting: UsageSetting;
  readonly history: UsageHistory;
  readonly ledger: UsageLedger;
  readonly survey: UsageSurvey | undefined;
  readonly groups: GroupShare;
  readonly billing: Calendar;
  /** Absent where there is none: all use is unpriced then. */
  readonly book?: PriceBook;
  readonly costing: Costing;
}

export function takeBasis(
  setting: UsageSetting,
  history: UsageHistory,
  survey: UsageSurvey | undefined,
): UsageBasis {
  const { pricing: book, groupings } = setting;
  const groups = shareByGroup(groupings);
  const billing = billingCalendar((book ?? noPrices).billingPeriod);
  const ledger = rememberReadings(history.usage);
  const costing = createCosting({ book: book ?? noPrices, ledger, groupsOf: groups.groupsOf });
  return { setting, history, ledger, survey, groups, billing, costing, ...(book && { book }) };
}

/** What the projects of a scope will cost; undefined without a price book or before the first survey. */
export function priceScope(
  { ledger, survey, billing, book, costing }: UsageBasis,
  now: number,
  isMeant: (project: UsageProject) => boolean,
): ScopePrice | undefined {
  if (book === undefined || survey === undefined) return undefined;
  const { recentUse } = survey;
  const { contracts } = costing;
  return estimatePrices({ book, ledger, contracts, recentUse, billing, now }, isMeant);
}
