import Big from 'big.js';
import { dayMs, hourMs } from '../../resources/duration.ts';
import type { DecimalText, Included, PriceBook, PricePlan } from '../../resources/price-book.ts';
import { computeHourMs } from '../../resources/usage/ledger.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  amountOfUse,
  compareAmounts,
  noAmount,
  subtractAmounts,
  timesRate,
  wholePart,
} from '../money/money.ts';
import { amountAt, includedAt } from '../price/dated-amount.ts';
import type { PlanAssignment } from '../price/plan-assignment.ts';
import { type PriceTier, rateAt, tiersAt, type UnitPrice } from '../price/price-lookup.ts';

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
 * following all makes, and never to more than what is billed beyond allowances and minimums. Base fees, counted things,
 * credits and taxes are left out: a change of use changes none of them, or the credit only later.
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
    const terms = monthTerms(assignment.plan, at, periodsOfMonth(book));
    const { rate } = rateAt(book, assignment.plan, at);
    if (own.length === 0 || terms === undefined || rate === undefined) continue;
    const bill = new MonthBill(assignment, monthUse, terms);
    const largestFirst = own
      .map(([index, change]) => ({ index, change, alone: bill.billedAfter(change) }))
      .sort((one, other) => one.alone - other.alone || other.change.computeHours - one.change.computeHours);
    let before = amountOfBill(terms, bill.billedCuMs);
    for (const { index, change } of largestFirst) {
      bill.spare(change);
      const after = amountOfBill(terms, bill.billedCuMs);
      savings[index] = timesRate(subtractAmounts(before, after), rate);
      before = after;
    }
  }
  return savings;
}

/** Prices changes that were made, as `priceSavings` would have before them: `monthUse` is the use since. */
export function priceDone(month: SavingCase, changes: readonly SparedUse[]): (Amount | undefined)[] {
  const monthUse = new Map(month.monthUse);
  for (const { project_ref, computeHours } of changes) {
    monthUse.set(project_ref, (monthUse.get(project_ref) ?? 0) + Math.round(computeHours * computeHourMs));
  }
  return priceSavings({ ...month, monthUse }, changes);
}

/** The billing periods of a typical month: calendar months are all taken to be one. */
function periodsOfMonth({ billingPeriod }: PriceBook): Big {
  return billingPeriod.kind === 'month' ? Big(1) : Big(monthMs).div(billingPeriod.hours * hourMs);
}

/** The terms of a plan for a typical month. */
interface MonthTerms {
  readonly tiers: readonly PriceTier[];
  readonly minimum: Amount;
  readonly per: Included['per'];
  /** CU-milliseconds that are included. */
  readonly allowance: number;
  /** Money that is taken off the compute of an account. */
  readonly allowanceMoney: Amount;
}

/** Undefined where the plan has no price. */
function monthTerms(plan: PricePlan, at: number, periods: Big): MonthTerms | undefined {
  const [first, ...higher] = tiersAt(plan, at);
  if (first === undefined) return undefined;
  const times = (amount: DecimalText = '0') => amountOf(Big(amount).times(periods).toFixed());
  const { computeHours, amount, per = 'account' } = includedAt(plan, at) ?? {};
  return {
    tiers: [
      first,
      ...higher.map(tier => ({ ...tier, beyondCuMs: Number(periods.times(tier.beyondCuMs).round()) })),
    ],
    minimum: times(amountAt(plan.minimum, at)),
    per,
    allowance:
      per === 'project' && amount !== undefined
        ? cuMsFor(times(amount), first.price)
        : wholePart(times(computeHours)),
    allowanceMoney: per === 'account' ? times(amount) : noAmount,
  };
}

/** Whole CU-milliseconds that can be had for an amount; without an end where they cost nothing. */
function cuMsFor({ numerator }: Amount, { discounted }: UnitPrice): number {
  return Big(discounted).eq(0)
    ? Number.MAX_SAFE_INTEGER
    : Number(numerator.div(discounted).round(0, Big.roundDown));
}

function amountOfBill({ tiers, minimum, allowanceMoney }: MonthTerms, billedCuMs: number): Amount {
  const used = tiers.reduce((sum, { price, beyondCuMs }, index) => {
    const untilCuMs = Math.min(billedCuMs, tiers[index + 1]?.beyondCuMs ?? Number.POSITIVE_INFINITY);
    return addAmounts(sum, amountOfUse(Math.max(0, untilCuMs - beyondCuMs), price.discounted));
  }, noAmount);
  return greatest(noAmount, greatest(subtractAmounts(used, allowanceMoney), minimum));
}

function greatest(one: Amount, other: Amount): Amount {
  return compareAmounts(one, other) > 0 ? one : other;
}

/** The billed use of a plan assignment in a typical month, after changes that were made to it. CU-milliseconds. */
class MonthBill {
  readonly #per: 'account' | 'project';
  readonly #allowance: number;
  readonly #use: Map<number, number>;
  /** Billed use of each project together, or all use where a pool is taken from it. */
  #sum: number;

  constructor(
    { projects }: PlanAssignment,
    monthUse: ReadonlyMap<number, number>,
    { per, allowance }: MonthTerms,
  ) {
    this.#per = per;
    this.#allowance = allowance;
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
