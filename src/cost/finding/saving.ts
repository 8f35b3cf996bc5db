import Big from 'big.js';
import { dayMs, hourMs } from '../../resources/duration.ts';
import type { DecimalText, PriceBook, PricePlan } from '../../resources/price-book.ts';
import { computeHourMs } from '../../resources/usage/ledger.ts';
import {
  type Amount,
  amountOf,
  amountOfUse,
  compareAmounts,
  subtractAmounts,
  timesRate,
} from '../money/money.ts';
import { allowanceOf } from '../price/included-usage.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import { priceAt, rateAt, type UnitPrice } from '../price/price-lookup.ts';

/** A typical month of some accounts: 30 days in which their projects go on as they did, at the prices of one instant. */
export interface SavingCase {
  readonly book: PriceBook;
  readonly assignments: readonly PlanAssignment[];
  /** Epoch milliseconds of the prices and exchange rates. */
  readonly at: number;
  /** CU-milliseconds each project uses in 30 days, by its number; absent for one that uses nothing. */
  readonly monthUse: ReadonlyMap<number, number>;
}

/** Use of a project that a change spares in 30 days. */
export interface SparedUse {
  readonly project_ref: number;
  readonly computeHours: number;
}

const monthMs = 30 * dayMs;

/**
 * Prices changes together, in the display currency: each is the difference of two invoices of a typical month, with it
 * and without it, where those that save more are followed already. So all of them add up to the difference that
 * following all makes, and never to more than what is billed beyond included hours and minimums.
 *
 * @returns the saving of each change; undefined where the project has no plan, price or exchange rate.
 */
export function priceSavings(
  { book, assignments, at, monthUse }: SavingCase,
  changes: readonly SparedUse[],
): (Amount | undefined)[] {
  const savings = new Array<Amount | undefined>(changes.length).fill(undefined);
  const byProject = Map.groupBy(changes.entries(), ([, { project_ref }]) => project_ref);
  for (const assignment of assignments) {
    const own = assignment.projects.flatMap(({ project_ref }) => byProject.get(project_ref) ?? []);
    const { price } = priceAt(assignment.plan, at);
    const { rate } = rateAt(book, assignment.plan, at);
    if (own.length === 0 || price === undefined || rate === undefined) continue;
    const bill = new MonthBill(assignment, monthUse, periodsOfMonth(book));
    const largestFirst = own
      .map(([index, change]) => ({ index, change, alone: bill.billedAfter(change) }))
      .sort((one, other) => one.alone - other.alone || other.change.computeHours - one.change.computeHours);
    let before = amountOfBill(assignment.plan, bill, price);
    for (const { index, change } of largestFirst) {
      bill.spare(change);
      const after = amountOfBill(assignment.plan, bill, price);
      savings[index] = timesRate(subtractAmounts(before, after), rate);
      before = after;
    }
  }
  return savings;
}

/** The billing periods of a typical month: calendar months are all taken to be one. */
function periodsOfMonth({ billingPeriod }: PriceBook): Big {
  return billingPeriod.kind === 'month' ? Big(1) : Big(monthMs).div(billingPeriod.hours * hourMs);
}

function amountOfBill({ minimum }: PricePlan, bill: MonthBill, { discounted }: UnitPrice): Amount {
  const charged = amountOfUse(bill.billedCuMs, discounted);
  const least = amountOf(minimum === undefined ? '0' : times(minimum, bill.periods));
  return compareAmounts(charged, least) > 0 ? charged : least;
}

function times(amount: DecimalText, factor: Big): DecimalText {
  return Big(amount).times(factor).toFixed();
}

/** The billed use of a plan assignment in a typical month, after changes that were made to it. CU-milliseconds. */
class MonthBill {
  readonly periods: Big;
  readonly #per: 'account' | 'project';
  readonly #allowance: number;
  readonly #use: Map<number, number>;
  /** Billed use of each project together, or all use where a pool is taken from it. */
  #sum: number;

  constructor({ plan, projects }: PlanAssignment, monthUse: ReadonlyMap<number, number>, periods: Big) {
    const { computeHours, per } = plan.included ?? { computeHours: '0', per: 'account' };
    this.periods = periods;
    this.#per = per;
    this.#allowance = allowanceOf(times(computeHours, periods));
    this.#use = new Map(projects.map(({ project_ref }) => [project_ref, monthUse.get(project_ref) ?? 0]));
    this.#sum = [...this.#use.values()].reduce((sum, use) => sum + this.#counted(use), 0);
  }

  get billedCuMs(): number {
    return this.#billed(this.#sum);
  }

  /** Billed use after one more change, which is not made. */
  billedAfter(change: SparedUse): number {
    return this.#billed(this.#sum + this.#difference(change));
  }

  spare(change: SparedUse): void {
    this.#sum += this.#difference(change);
    this.#use.set(change.project_ref, this.#useAfter(change));
  }

  #billed(sum: number): number {
    return this.#per === 'account' ? Math.max(0, sum - this.#allowance) : sum;
  }

  #difference(change: SparedUse): number {
    const before = this.#use.get(change.project_ref) ?? 0;
    return this.#counted(this.#useAfter(change)) - this.#counted(before);
  }

  /** A project never uses less than nothing. */
  #useAfter({ project_ref, computeHours }: SparedUse): number {
    return Math.max(0, (this.#use.get(project_ref) ?? 0) - Math.round(computeHours * computeHourMs));
  }

  #counted(use: number): number {
    return this.#per === 'account' ? use : Math.max(0, use - this.#allowance);
  }
}
