import Big from 'big.js';
import { dayMs, hourMs } from '../../resources/duration.ts';
import type { DatedAmounts, DecimalText, Included, PriceBook, Tariff } from '../../resources/price-book.ts';
import {
  type Amount,
  addAmounts,
  amountOf,
  amountOfUse,
  compareAmounts,
  maxAmount,
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
export function spareInTurn(
  { terms, projects, monthUse }: PlanMonth,
  changes: readonly SparedParts[],
): Amount[] {
  const { per, allowance } = terms;
  const use = new Map(projects.map(({ project_ref }) => [project_ref, monthUse.get(project_ref) ?? 0]));
  // A pool is taken from all use, the allowance of a project from its own.
  const counted = (own: number) => (per === 'account' ? own : Math.max(0, own - allowance));
  const billed = (all: number) => (per === 'account' ? Math.max(0, all - allowance) : all);
  // A project never uses less than nothing.
  const useAfter = ({ project_ref, parts }: SparedParts) => Math.max(0, (use.get(project_ref) ?? 0) - parts);
  const countedAfter = (all: number, change: SparedParts) =>
    all + (counted(useAfter(change)) - counted(use.get(change.project_ref) ?? 0));
  let all = [...use.values()].reduce((sum, own) => sum + counted(own), 0);
  const largestFirst = [...changes.entries()]
    .map(([index, change]) => ({ index, change, alone: billed(countedAfter(all, change)) }))
    .sort((one, other) => one.alone - other.alone || other.change.parts - one.change.parts);
  const savings = new Array<Amount>(changes.length).fill(noAmount);
  let before = amountOfBill(terms, billed(all));
  for (const { index, change } of largestFirst) {
    all = countedAfter(all, change);
    use.set(change.project_ref, useAfter(change));
    const after = amountOfBill(terms, billed(all));
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
  return maxAmount(noAmount, maxAmount(subtractAmounts(used, allowanceMoney), minimum));
}
