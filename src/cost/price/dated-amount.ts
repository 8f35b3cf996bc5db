import type {
  Dated,
  DatedAmounts,
  DecimalText,
  Included,
  PricePlan,
  Tariff,
} from '../../resources/price-book.ts';
import type { Period } from '../calendar/calendar.ts';
import { type Amount, addAmounts, amountOf, noAmount, partOfAmount } from '../money/money.ts';
import { allTime, holdsAt, lengthOf, sharedTime, timeOf } from './dated.ts';

/** A billing period, and the time in it in which a plan is that of a project of the account. */
export interface PlanTime {
  readonly period: Period;
  /** In order of time, none overlapping another. */
  readonly inForce: readonly Period[];
}

/** What is the same for all time, as a list of one. */
export function datedAmounts(
  amounts: DatedAmounts | undefined,
): readonly (Dated & { amount: DecimalText })[] {
  if (amounts === undefined) return [];
  return typeof amounts === 'string' ? [{ ...allTime, amount: amounts }] : amounts;
}

/** What a plan includes, and when. */
export function datedIncluded({ included }: Pick<Tariff, 'included'>): readonly (Dated & Included)[] {
  if (included === undefined) return [];
  return 'per' in included ? [{ ...allTime, ...included }] : included;
}

/** The amount that holds at an instant; undefined where none does. */
export function amountAt(amounts: DatedAmounts | undefined, at: number): DecimalText | undefined {
  return datedAmounts(amounts).find(each => holdsAt(each, at))?.amount;
}

/** What a plan includes in the billing period of an instant; undefined for nothing. */
export function includedAt(tariff: Pick<Tariff, 'included'>, at: number): Included | undefined {
  return datedIncluded(tariff).find(each => holdsAt(each, at));
}

/**
 * What dated amounts of a plan come to in a billing period: each counts for the part of the period in which it holds
 * while the plan is in force, or the one that holds first wholly.
 *
 * @param values in order of time.
 */
export function amountInPeriod(
  { partialPeriod }: Pick<PricePlan, 'partialPeriod'>,
  values: readonly (Dated & { readonly amount: DecimalText })[],
  { period, inForce }: PlanTime,
): Amount {
  const held = values
    .map(value => ({
      amount: amountOf(value.amount),
      heldMs: lengthOf(sharedTime([timeOf(value)], inForce)),
    }))
    .filter(({ heldMs }) => heldMs > 0);
  if (partialPeriod === 'whole') return held[0]?.amount ?? noAmount;
  const periodMs = period.untilAt - period.fromAt;
  return held.reduce(
    (sum, { amount, heldMs }) => addAmounts(sum, partOfAmount(amount, heldMs, periodMs)),
    noAmount,
  );
}
