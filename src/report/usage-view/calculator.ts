import type { Config } from '../../config/config.ts';
import { budgetCalendar, scopeOf } from '../../cost/budget/spending.ts';
import { ReviewedProjects } from '../../cost/finding/finding-review.ts';
import { hourClockOf } from '../../cost/forecast/rolling-forecast.ts';
import { usualMeterRules } from '../../cost/price/metered-tariff.ts';
import { accrue } from '../../cost/rating/accrual.ts';
import type { ReportHistory } from '../../history/usage/report-history.ts';
import {
  type SeenUsage,
  type UsageHistory,
  type UsageReader,
  usageOfReport,
} from '../../history/usage/usage-history.ts';
import type { CostAccrual } from '../../resources/cost-accrual.ts';
import { hourMs } from '../../resources/duration.ts';
import { maxOf } from '../../resources/min-max.ts';
import type { BudgetUsage, ShownUsage, UsageView } from '../../resources/usage/view.ts';
import { viewAccount, viewWhole } from './account.ts';
import { type AccountSpan, analyzeUsage, type UsageAnalysis } from './analysis.ts';
import { countsImported, viewBudget } from './budget.ts';
import { accountScopeName, budgetScopeName, type UsageOptions, usageOptionsOf } from './options.ts';
import { takeSnapshot, type UsageSnapshot } from './snapshot.ts';

/** Use and cost at one moment, and the accruals to be written before they are shown. */
export interface Calculation {
  readonly view: UsageView;
  readonly accruals: readonly CostAccrual[];
}

/** Reads the use of compute, as it is known now or was known once. */
type UsageCalculatorReader = Pick<UsageReader, 'steadily'> & { look(): UsageHistory };

/** A project that could not be read for longer is not waited for. */
const longestUnsettledMs = 40 * 24 * hourMs;

/** Works out use, cost, budgets and forecasts from a history, again and again. */
export class UsageCalculator {
  /** The findings of projects as they were last looked for. */
  readonly reviewed = new ReviewedProjects();
  readonly #options: UsageOptions;
  readonly #reader: UsageCalculatorReader;
  /** Accruals as last handed out, by account: they may not be written yet. */
  readonly #accruals = new Map<string, CostAccrual>();
  #analysis: UsageAnalysis | undefined;
  /** Names the hours, ledgers and projects that were last analyzed. */
  #analyzed = '';

  constructor(options: UsageOptions, reader: UsageCalculatorReader) {
    this.#options = options;
    this.#reader = reader;
  }

  /** @returns undefined while nothing is known of any account. */
  calculate(): Calculation | undefined {
    // Were something written between two looks, their difference could be less than nothing.
    return this.#reader.steadily(() => this.#calculate());
  }

  #calculate(): Calculation | undefined {
    const history = this.#reader.look();
    const known = this.#findKnown(history);
    if (known.length === 0) return undefined;
    const snapshot = takeSnapshot(this.#options, history, this.#analysis);
    const accruals = known.flatMap(account => this.#accrue(snapshot, account) ?? []);
    const accrualOf = new Map(accruals.map(accrual => [accrual.account, accrual]));
    const now = latestOf(known);
    const period = snapshot.billing(now);
    const accounts = known.map(each =>
      viewAccount(snapshot, { ...each, period }, accrualOf.get(each.account)),
    );
    return { view: { accounts, budgets: this.#viewBudgets(snapshot, known, now) }, accruals };
  }

  /**
   * Use and cost as a look of somebody else tells them; nothing is accrued.
   *
   * @param askedAt figures are of the periods that it lies in; epoch milliseconds.
   * @returns undefined until all that is known of each account was analyzed.
   */
  view(history: SeenUsage, askedAt: number): ShownUsage | undefined {
    const known = this.#findKnown(history);
    if (known.length === 0) return { accounts: [], budgets: [] };
    if (!known.every(({ account }) => this.#analysis?.findings.has(account))) return undefined;
    const snapshot = takeSnapshot(this.#options, history, this.#analysis);
    const now = Math.max(askedAt, latestOf(known));
    const period = snapshot.billing(now);
    return {
      accounts: known.map(each => viewWhole(snapshot, { ...each, period })),
      budgets: this.#viewBudgets(snapshot, known, now),
    };
  }

  #viewBudgets(snapshot: UsageSnapshot, known: readonly AccountSpan[], now: number): readonly BudgetUsage[] {
    const latestAt = latestOf(known);
    return this.#options.budgets
      .filter(budget => !countsImported(snapshot, budget))
      .map(budget => {
        const { scope } = budget;
        // What another account used since is nothing that an account which is behind did not use.
        const own = known.find(({ account }) => scope.kind === 'account' && scope.account === account);
        const { fromAt } = budgetCalendar(budget, { ...snapshot, zone: this.#options.zone })(now);
        return viewBudget(snapshot, budget, Math.max(own?.knownUntilAt ?? latestAt, fromAt));
      });
  }

  /**
   * Analyzes the usage history again if there is more of it than the last time: an hour, a ledger, or branches.
   *
   * @returns whether it did.
   */
  analyze(): boolean {
    const { history, known, extent } = this.#reader.steadily(() => this.#lookWhole());
    if (known.length === 0 || extent === this.#analyzed) return false;
    this.#analysis = this.#analyze(history, known);
    this.#analyzed = extent;
    return true;
  }

  /** A look, and the name of all that is seen: what is written after it has another name. */
  #lookWhole() {
    const history = this.#reader.look();
    const known = this.#findKnown(history);
    return { history, known, extent: known.map(span => extentOf(history, span)).join() };
  }

  #analyze(history: UsageHistory, known: readonly AccountSpan[]): UsageAnalysis {
    const { accounts, budgets, zone, pricing, unpriced, findings: rules } = this.#options;
    const { anomalyComputeSeconds, anomalyBytes: leastBytes, anomalyBranches: leastBranches } = this.#options;
    const { unit } = (pricing ?? unpriced)?.meter ?? usualMeterRules;
    const { groups, book, costing } = takeSnapshot(this.#options, history, undefined);
    const accountScopes = accounts.map(account => ({
      name: accountScopeName(account),
      accounts: [account],
      isMeant: (project: { readonly account: string }) => project.account === account,
      isTested: true,
    }));
    const budgetScopes = budgets.map(budget => ({
      name: budgetScopeName(budget),
      accounts: budget.scope.kind === 'account' ? [budget.scope.account] : accounts,
      isMeant: scopeOf(budget, groups).hasProject,
      isTested: false,
    }));
    return analyzeUsage(history, known, {
      clock: hourClockOf(zone),
      anomalyComputeSeconds,
      meterHabit: { leastBytes, leastBranches, unit },
      scopes: [...accountScopes, ...budgetScopes],
      ...(rules && {
        review: { rules, reviewed: this.reviewed, ...(book && { prices: { book, costing } }) },
      }),
    });
  }

  /** Whether an account is still being imported: then there may be more to show at any moment. */
  isImporting(): boolean {
    const history = this.#reader.look();
    return this.#options.accounts.some(account => history.isImporting(account));
  }

  /** Accounts with figures: before the first import is done it is not known when their projects used what. */
  #findKnown(history: SeenUsage): readonly AccountSpan[] {
    return this.#options.accounts
      .filter(account => !history.isImporting(account))
      .flatMap(account => findKnown(history, account) ?? []);
  }

  #accrue({ book, costing, billing, history }: UsageSnapshot, known: AccountSpan): CostAccrual | undefined {
    // A total that is not written would begin anew each time.
    if (book === undefined || this.#options.histories !== undefined) return undefined;
    const { account } = known;
    const currency = book.displayCurrency;
    const before = this.#accruals.get(account) ?? history.accrual(account, currency);
    const { usage } = history;
    const meteredUntilAt = usage.metered?.knownSpan(account)?.untilAt ?? Number.POSITIVE_INFINITY;
    const settledUntilAt = Math.max(
      Math.min(usage.settledUntil(account), meteredUntilAt),
      known.knownUntilAt - longestUnsettledMs,
    );
    const accrual = accrue(before, { ...known, settledUntilAt, currency, costing, billing });
    this.#accruals.set(account, accrual);
    return accrual;
  }
}

/** Names all that an analysis of an account depends on. */
function extentOf(history: UsageHistory, { account, knownUntilAt }: AccountSpan): string {
  const { projects, metered } = history.usage;
  const own = projects.filter(project => project.account === account);
  const present = own.filter(({ gone_at }) => gone_at === undefined);
  const hour = Math.floor(knownUntilAt / hourMs);
  const meteredUntilAt = metered?.knownSpan(account)?.untilAt;
  const branches = history.branches.extent(account, knownUntilAt);
  return [account, hour, history.ledgers(account), own.length, present.length, meteredUntilAt, branches].join(
    ' ',
  );
}

/** Until when use of any account is known. */
function latestOf(known: readonly AccountSpan[]): number {
  return maxOf(known.map(({ knownUntilAt }) => knownUntilAt));
}

function findKnown({ usage }: SeenUsage, account: string): AccountSpan | undefined {
  const knownFromAt = usage.knownFrom(account);
  const knownUntilAt = usage.knownUntil(account);
  if (knownFromAt === undefined || knownUntilAt === undefined) return undefined;
  return { account, knownFromAt, knownUntilAt };
}

/** The results of work that goes on besides reports, which take from them. */
export interface WorkedOut {
  /** Budgets and forecasts of the periods now, as a look at the history tells them; undefined before it was analyzed. */
  view(history: ReportHistory, now: number): ShownUsage | undefined;
  /** The findings of projects as they were last looked for; undefined before that. */
  readonly reviewed?: ReviewedProjects | undefined;
}

/** Analyzes a history for one look, which takes seconds for a large fleet: as the daemon does it again and again. */
export function analyzeOnce(config: Config, history: ReportHistory, now: number): ShownUsage | undefined {
  const seen = { ...usageOfReport(history), ledgers: () => 0 };
  const { findings: _notAsked, ...options } = usageOptionsOf(config);
  const calculator = new UsageCalculator(
    { ...options, accounts: history.accounts },
    { look: () => seen, steadily: work => work() },
  );
  calculator.analyze();
  return calculator.view(seen, now);
}
