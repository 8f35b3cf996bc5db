import { readAmount, subtractAmounts, writeAmount } from '../../cost/money/money.ts';
import { UsageAsOf } from '../../history/usage/usage-as-of.ts';
import type { StoredUsageHistory, UsageHistory } from '../../history/usage/usage-history.ts';
import type { InstantRow } from '../../resources/backfill.ts';
import type { CostAccrual } from '../../resources/cost-accrual.ts';
import { dayMs, hourMs, minuteMs } from '../../resources/duration.ts';
import type { AccountUsage, UsageView } from '../../resources/usage/view.ts';
import { UsageCalculator } from './calculator.ts';
import type { UsageOptions } from './options.ts';

/** How often former views are worked out anew: of a large fleet each takes long. */
interface Pace {
  readonly viewMs: number;
  readonly analysisMs: number;
}

/** By the size of the fleet: where instants are a minute apart, and where they are further apart. */
const paces: readonly { readonly mostProjects: number; readonly close: Pace; readonly far: Pace }[] = [
  {
    mostProjects: 50,
    close: { viewMs: 5 * minuteMs, analysisMs: hourMs },
    far: { viewMs: 15 * minuteMs, analysisMs: 3 * hourMs },
  },
  {
    mostProjects: 500,
    close: { viewMs: 15 * minuteMs, analysisMs: 6 * hourMs },
    far: { viewMs: hourMs, analysisMs: dayMs },
  },
];
const slowest = { viewMs: hourMs, analysisMs: dayMs };

function paceOf(projects: number, stepMs: number): Pace {
  const { close, far } = paces.find(({ mostProjects }) => projects <= mostProjects) ?? {
    close: slowest,
    far: slowest,
  };
  return stepMs <= minuteMs ? close : far;
}

/** Use, cost, budgets and forecasts as the daemon would have shown them at former instants. */
export class ViewAsOf {
  readonly #past: UsageAsOf;
  readonly #calculator: UsageCalculator;
  readonly #projects: number;
  #pace: Pace;
  readonly #accruals: ReadonlyMap<string, CostAccrual>;
  /** What is looked at. */
  #at = 0;
  #analyzedAt = Number.NEGATIVE_INFINITY;
  #shown: { readonly at: number; readonly view: UsageView | undefined } | undefined;

  /** @param now a history that does not change. */
  constructor(options: UsageOptions, now: StoredUsageHistory) {
    this.#past = new UsageAsOf(now);
    this.#projects = now.usage.projects.length;
    this.#pace = paceOf(this.#projects, 0);
    this.#accruals = new Map(
      options.accounts.flatMap(account => {
        const accrual = this.#beginAccrual(options, now, account);
        return accrual === undefined ? [] : [[account, accrual] as const];
      }),
    );
    this.#calculator = this.#calculate(options, account => this.#accruals.get(account));
  }

  /** Gets ready for views at a row of instants: where they are far apart each has its own. */
  prepare({ fromAt, stepMs, count }: InstantRow): void {
    const { viewMs, analysisMs } = paceOf(this.#projects, stepMs);
    const isEach = stepMs >= viewMs;
    this.#pace = { viewMs: isEach ? 1 : viewMs, analysisMs };
    const firstAt = isEach ? fromAt : floor(fromAt, viewMs);
    const apartMs = isEach ? stepMs : viewMs;
    const views = Math.floor((fromAt + (count - 1) * stepMs - firstAt) / apartMs) + 1;
    this.#past.prepare({ fromAt: firstAt, stepMs: apartMs, count: views });
  }

  /**
   * The view at an instant, the same object while it is not worked out anew; undefined while nothing was known.
   *
   * @param at epoch milliseconds, no earlier than the last time.
   */
  viewAt(at: number): UsageView | undefined {
    const { viewMs, analysisMs } = this.#pace;
    const viewedAt = floor(at, viewMs);
    if (this.#shown?.at === viewedAt) return this.#shown.view;
    const analyzedAt = floor(viewedAt, analysisMs);
    if (analyzedAt !== this.#analyzedAt) {
      this.#at = analyzedAt;
      this.#calculator.analyze();
      this.#analyzedAt = analyzedAt;
    }
    this.#at = viewedAt;
    const view = this.#calculator.calculate()?.view;
    this.#shown = { at: viewedAt, view: view && { ...view, accounts: view.accounts.map(startAtZero) } };
    return this.#shown.view;
  }

  #calculate(options: UsageOptions, accrual: UsageHistory['accrual']): UsageCalculator {
    const look = () => ({ ...this.#past.at(this.#at), accrual });
    return new UsageCalculator(options, { look, steadily: work => work() });
  }

  /**
   * What an account was charged for the time before it was known, so that what is charged since comes to what it was
   * really charged by now: prices may have been others then. Undefined where it never was.
   */
  #beginAccrual(options: UsageOptions, { usage, accrual }: UsageHistory, account: string) {
    const { pricing } = options;
    const knownFromAt = usage.knownFrom(account);
    const charged = pricing && accrual(account, pricing.displayCurrency);
    if (charged === undefined || knownFromAt === undefined) return undefined;
    this.#at = charged.asOfAt;
    const calculator = this.#calculate({ ...options, accounts: [account], budgets: [] }, () => undefined);
    const [whole] = calculator.calculate()?.accruals ?? [];
    if (whole === undefined) return undefined;
    return {
      ...charged,
      total: writeAmount(subtractAmounts(readAmount(charged.total), readAmount(whole.total))),
      unpricedTotal: charged.unpricedTotal - whole.unpricedTotal,
      periodFromAt: knownFromAt,
      periodAccrued: '0',
      periodUnpriced: 0,
      asOfAt: knownFromAt,
    };
  }
}

/** Where less was charged than the prices of now come to, the totals would begin below zero. */
function startAtZero(usage: AccountUsage): AccountUsage {
  const { costTotal, unpricedComputeSecondsTotal } = usage;
  return {
    ...usage,
    ...(costTotal !== undefined && { costTotal: Math.max(0, costTotal) }),
    ...(unpricedComputeSecondsTotal !== undefined && {
      unpricedComputeSecondsTotal: Math.max(0, unpricedComputeSecondsTotal),
    }),
  };
}

function floor(at: number, stepMs: number): number {
  return Math.floor(at / stepMs) * stepMs;
}
