import type { Config } from '../../config/config.ts';
import { findWholeCharges } from '../../cost/price/whole-charge.ts';
import { secondsPerHour } from '../../resources/duration.ts';
import type { FindingRules } from '../../resources/finding-rule.ts';
import type { Grouping } from '../../resources/grouping.ts';
import type { PriceBook } from '../../resources/price-book.ts';
import type { Shard } from '../../resources/shard.ts';
import type { SpendingBudget } from '../../resources/spending-budget.ts';

const bytesPerGigabyte = 1e9;

/** Settings of the usage worker, as the daemon hands them over. */
export interface UsageOptions {
  readonly historyFile: string;
  /** Files that somebody else writes, which `historyFile` is one of or joined of; absent where it is the daemon's own. */
  readonly histories?: readonly string[];
  readonly accounts: readonly string[];
  /** IANA zone of days, weeks and habits. */
  readonly zone: string;
  readonly refreshMs: number;
  /** Use beyond a project's habit from which on it is an anomaly. */
  readonly anomalyComputeSeconds: number;
  /** The same of what is metered besides: bytes transferred or stored, and branches. */
  readonly anomalyBytes: number;
  readonly anomalyBranches: number;
  readonly pricing?: PriceBook;
  /** The rules for use without a price where `pricing` is absent; the usual ones where both are. */
  readonly unpriced?: PriceBook;
  /** The part of the projects that counts; all of them where it is absent. */
  readonly shard?: Shard;
  readonly groupings: readonly Grouping[];
  readonly budgets: readonly SpendingBudget[];
  /** Absent where no findings are looked for. */
  readonly findings?: FindingRules;
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
  shard,
}: Config): UsageOptions {
  const whole = {
    historyFile: history.file,
    accounts: accounts.map(({ name }) => name),
    zone: usage.timezone,
    refreshMs: usage.refreshMs,
    anomalyComputeSeconds: usage.anomalyComputeHours * secondsPerHour,
    anomalyBytes: usage.anomalyGigabytes * bytesPerGigabyte,
    anomalyBranches: usage.anomalyBranches,
    ...(pricing && { pricing }),
    groupings,
    budgets,
    findings: { ...findings, ignored: ignoredFindings },
  };
  return shard === undefined ? whole : ofShard(whole, shard);
}

/** The settings for a part of the projects: where prices are those of a whole account, it has no cost. */
export function ofShard({ pricing, ...options }: UsageOptions, shard: Shard): UsageOptions {
  const isWhole = pricing === undefined || findWholeCharges(pricing).length === 0;
  if (isWhole) return { ...options, ...(pricing && { pricing }), shard };
  const budgets = options.budgets.filter(({ limit }) => limit.kind !== 'money');
  return { ...options, unpriced: withoutPrices(pricing), budgets, shard };
}

/** The calendar and the meter of a price book whose prices are not those of a part of an account. */
function withoutPrices({ displayCurrency, billingPeriod, ledger, meter }: PriceBook): PriceBook {
  return {
    ...{ displayCurrency, billingPeriod, plans: [], exchangeRates: [] },
    ...(ledger && { ledger }),
    ...(meter && { meter }),
  };
}

/** Name of a budget's scope among the scopes of accounts. */
export function budgetScopeName({ name }: SpendingBudget): string {
  return `budget ${name}`;
}

export function accountScopeName(account: string): string {
  return `account ${account}`;
}
