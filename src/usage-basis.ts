import { billingCalendar } from './cost/billing-calendar.ts';
import type { Calendar } from './cost/calendar.ts';
import { type Costing, createCosting } from './cost/costing.ts';
import { type GroupShare, shareByGroup } from './cost/group-share.ts';
import { rememberReadings } from './cost/remembered-ledger.ts';
import { estimatePrices, type ScopePrice } from './cost/scope-price.ts';
import type { UsageHistory } from './history/usage-history.ts';
import type { PriceBook } from './resources/price-book.ts';
import type { UsageLedger, UsageProject } from './resources/usage-ledger.ts';
import { defaultBillingPeriod, type UsageSetting } from './usage-setting.ts';
import type { UsageSurvey } from './usage-survey.ts';

/** What everything is worked out from at one moment. */
export interface UsageBasis {
  readonly setting: UsageSetting;
  readonly history: UsageHistory;
  readonly ledger: UsageLedger;
  readonly survey: UsageSurvey | undefined;
  readonly groups: GroupShare;
  readonly billing: Calendar;
  /** Absent without a price book. */
  readonly prices?: { readonly book: PriceBook; readonly costing: Costing };
}

export function takeBasis(
  setting: UsageSetting,
  history: UsageHistory,
  survey: UsageSurvey | undefined,
): UsageBasis {
  const { pricing: book, groupings } = setting;
  const groups = shareByGroup(groupings);
  const billing = billingCalendar(book?.billingPeriod ?? defaultBillingPeriod);
  const ledger = rememberReadings(history.usage);
  const basis = { setting, history, ledger, survey, groups, billing };
  if (book === undefined) return basis;
  const costing = createCosting({ book, ledger, groupsOf: groups.groupsOf });
  return { ...basis, prices: { book, costing } };
}

/** What the projects of a scope will cost; undefined without a price book or before the first survey. */
export function priceScope(
  { ledger, survey, groups, billing, prices }: UsageBasis,
  now: number,
  isMeant: (project: UsageProject) => boolean,
): ScopePrice | undefined {
  if (prices === undefined || survey === undefined) return undefined;
  const { recentUse } = survey;
  return estimatePrices(
    { book: prices.book, ledger, groupsOf: groups.groupsOf, recentUse, billing, now },
    isMeant,
  );
}
