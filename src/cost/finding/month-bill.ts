import Big from 'big.js';
import { dayMs, hourMs } from '../../resources/duration.ts';
import type { DatedAmounts, DecimalText, Included, PriceBook, Tariff } from '../../resources/price-book.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  amountOfUse,
  compareAmounts,
  noAmount,
  subtractAmounts,
  wholePart,
} from '../money/money.ts';
import { amountAt, includedAt } from '../price/dated-amount.ts';
import { type PriceTier, tiersAt, type UnitPrice } from '../price/price-lookup.ts';

/** A typical month of the projects of a plan in an account. Use is in parts of a unit: for compute in CU-milliseconds. */
interface PlanMonth {
  readonly terms: MonthTerms;
  readonly projects: readonly { readonly project_ref: number }[];
  /** Use of each project, by its number; absent for one that uses nothing. */
  readonly monthUse: ReadonlyMap<number, number>;
}

/** Use of a project that a change spares in a typical month. */
interface SparedParts {
  readonly project_ref: number;
  readonly parts: number;
}

export const monthMs = 30 * dayMs;

/** How something is charged in a typical month. */
interface MonthTerms {
  readonly tiers: readonly PriceTier[];
  /** Absent for compute. */
  readonly partsOfUnit?: number;
  readonly minimum: Amount;
  readonly per: Included['per'];
  /** Parts that are included. */
  readonly allowance: number;
  /** Money that is taken off the use of an account. */
  readonly allowanceMoney: Amount;
}

/** The terms of the prices of one instant; undefined where there is no price. */
export function monthTerms(
  tariff: Tariff & { readonly minimum?: DatedAmounts },
  book: PriceBook,
  at: number,
): MonthTerms | undefined {
  const { partsOfUnit } = tariff;
  const [first, ...higher] = tiersAt(tariff, at);
  if (first === undefined) return undefined;
  const periods = periodsOfMonth(book);
  const times = (amount: DecimalText = '0') => amountOf(Big(amount).times(periods).toFixed());
  const { computeHours, amount, per = 'account' } = includedAt(tariff, at) ?? {};
  return {
    tiers: [
      first,
      ...higher.map(tier => ({ ...tier, beyondCuMs: Number(periods.times(tier.beyondCuMs).round()) })),
    ],
    ...(partsOfUnit !== undefined && { partsOfUnit }),
    minimum: times(amountAt(tariff.minimum, at)),
    per,
    allowance:
      per === 'project' && amount !== undefined
        ? cuMsFor(times(amount), first.price)
        : wholePart(times(computeHours), partsOfUnit),
    allowanceMoney: per === 'account' ? times(amount) : noAmount,
  };
}

/** Whether what one project uses changes what others are charged. */
export function isShared({ tiers, minimum, per, allowance, allowanceMoney }: MonthTerms): boolean {
  const pooled = [minimum, allowanceMoney].some(amount => compareAmounts(amount, noAmount) > 0);
  return tiers.length > 1 || pooled || (per === 'account' && allowance > 0);
}

/**
 * The saving of each of some changes, in the currency of the plan: the difference of two bills, with it and without it, where
 * changes that save more by themselves are made already.
 */
export function spareInTurn(month: PlanMonth, changes: readonly SparedParts[]): Amount[] {
  const { terms } = month;
  const savings = new Array<Amount>(changes.length).fill(noAmount);
  const bill = new MonthBill(month);
  const largestFirst = [...changes.entries()]
    .map(([index, change]) => ({ index, change, alone: bill.billedAfter(change) }))
    .sort((one, other) => one.alone - other.alone || other.change.parts - one.change.parts);
  let before = amountOfBill(terms, bill.billed);
  for (const { index, change } of largestFirst) {
    bill.spare(change);
    const after = amountOfBill(terms, bill.billed);
    savings[index] = subtractAmounts(before, after);
    before = after;
  }
  return savings;
}

/** The billing periods of a typical month: calendar months are all taken to be one. */
function periodsOfMonth({ billingPeriod }: PriceBook): Big {
  return billingPeriod.kind === 'month' ? Big(1) : Big(monthMs).div(billingPeriod.hours * hourMs);
}

/** Whole CU-milliseconds that can be had for an amount; without an end where they cost nothing. */
function cuMsFor({ numerator }: Amount, { discounted }: UnitPrice): number {
  return Big(discounted).eq(0)
    ? Number.MAX_SAFE_INTEGER
    : Number(numerator.div(discounted).round(0, Big.roundDown));
}

function amountOfBill({ tiers, partsOfUnit, minimum, allowanceMoney }: MonthTerms, billed: number): Amount {
  const used = tiers.reduce((sum, { price, beyondCuMs }, index) => {
    const until = Math.min(billed, tiers[index + 1]?.beyondCuMs ?? Number.POSITIVE_INFINITY);
    const parts = Math.max(0, until - beyondCuMs);
    return addAmounts(sum, amountOfUse(parts, price.discounted, partsOfUnit));
  }, noAmount);
  return greatest(noAmount, greatest(subtractAmounts(used, allowanceMoney), minimum));
}

function greatest(one: Amount, other: Amount): Amount {
  return compareAmounts(one, other) > 0 ? one : other;
}

/** The billed use of a plan in a typical month, after changes that were made to it. */
class MonthBill {
  readonly #per: 'account' | 'project';
  readonly #allowance: number;
  readonly #use: Map<number, number>;
  /** Billed use of each project together, or all use where a pool is taken from it. */
  #sum: number;

  constructor({ projects, monthUse, terms: { per, allowance } }: PlanMonth) {
    this.#per = per;
    this.#allowance = allowance;
    this.#use = new Map(projects.map(({ project_ref }) => [project_ref, monthUse.get(project_ref) ?? 0]));
    this.#sum = [...this.#use.values()].reduce((sum, use) => sum + this.#counted(use), 0);
  }

  get billed(): number {
    return this.#billed(this.#sum);
  }

  /** Billed use after one more change, which is not made. */
  billedAfter(change: SparedParts): number {
    return this.#billed(this.#sum + this.#difference(change));
  }

  spare(change: SparedParts): void {
    this.#sum += this.#difference(change);
    this.#use.set(change.project_ref, this.#useAfter(change));
  }

  #billed(sum: number): number {
    return this.#per === 'account' ? Math.max(0, sum - this.#allowance) : sum;
  }

  #difference(change: SparedParts): number {
    const before = this.#use.get(change.project_ref) ?? 0;
    return this.#counted(this.#useAfter(change)) - this.#counted(before);
  }

  /** A project never uses less than nothing. */
  #useAfter({ project_ref, parts }: SparedParts): number {
    return Math.max(0, (this.#use.get(project_ref) ?? 0) - parts);
  }

  #counted(use: number): number {
    return this.#per === 'account' ? use : Math.max(0, use - this.#allowance);
  }
}
