import type { Config } from '../config/config.ts';
import { calendarMonths } from '../cost/calendar/billing-name.ts';
import { type FindingRules, usualFindingRules } from '../resources/finding-rule.ts';
import type { Grouping } from '../resources/grouping.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { SpendingBudget } from '../resources/spending-budget.ts';

const secondsPerHour = 3600;

/** Settings of the usage worker, as the daemon hands them over. */
export interface UsageOptions {
  readonly historyFile: string;
  readonly accounts: readonly string[];
  /** IANA zone of days, weeks and habits. */
  readonly zone: string;
  readonly refreshMs: number;
  /** Use beyond a project's habit from which on it is an anomaly. */
  readonly anomalyComputeSeconds: number;
  readonly pricing?: PriceBook;
  readonly groupings: readonly Grouping[];
  readonly budgets: readonly SpendingBudget[];
  /** The usual ones where absent. */
  readonly findings?: FindingRules;
}

export function findingRulesOf({ findings = usualFindingRules }: UsageOptions): FindingRules {
  return findings;
}

export function usageOptionsOf({
  accounts,
  history,
  usage,
  pricing,
  groupings,
  budgets,
  findings,
  ignoredFindings,
}: Config): UsageOptions {
  return {
    historyFile: history.file,
    accounts: accounts.map(({ name }) => name),
    zone: usage.timezone,
    refreshMs: usage.refreshMs,
    anomalyComputeSeconds: usage.anomalyComputeHours * secondsPerHour,
    ...(pricing && { pricing }),
    groupings,
    budgets,
    findings: { ...findings, ignored: ignoredFindings },
  };
}

/** Price book where none is configured: billing periods are months of UTC all the same. */
export const emptyPriceBook: PriceBook = {
  displayCurrency: 'XXX',
  billingPeriod: calendarMonths,
  plans: [],
  exchangeRates: [],
};

/** Name of a budget's scope among the scopes of accounts. */
export function budgetScopeName({ name }: SpendingBudget): string {
  return `budget ${name}`;
}

export function accountScopeName(account: string): string {
  return `account ${account}`;
}
