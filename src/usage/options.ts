import type { Config } from '../config/config.ts';
import type { Grouping } from '../resources/grouping.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { SpendingBudget } from '../resources/spending-budget.ts';

const secondsPerHour = 3600;

/** By what use is worked out, as one thread hands it to another. */
export interface UsageOptions {
  readonly historyFile: string;
  readonly accounts: readonly string[];
  /** IANA zone of days, weeks and habits. */
  readonly zone: string;
  readonly refreshMs: number;
  readonly anomalyComputeSeconds: number;
  readonly pricing?: PriceBook;
  readonly groupings: readonly Grouping[];
  readonly budgets: readonly SpendingBudget[];
}

export function usageOptionsOf({
  accounts,
  history,
  usage,
  pricing,
  groupings,
  budgets,
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
  };
}

/** Stands for a price book where there is none: periods are months of UTC all the same. */
export const emptyPriceBook: PriceBook = {
  displayCurrency: 'XXX',
  billingPeriod: { kind: 'month', anchorDay: 1 },
  plans: [],
  exchangeRates: [],
};

/** What names the scope of a budget among the scopes of accounts. */
export function budgetScopeName({ name }: SpendingBudget): string {
  return `budget ${name}`;
}

export function accountScopeName(account: string): string {
  return `account ${account}`;
}
