import { type Cause, sumCauses } from '../../cost/difference/cause.ts';
import { amountNumber, amountOfUse, shareOut } from '../../cost/money/money.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import { hourDecimals } from '../format/hour-text.ts';

/** Money and compute hours, as they are shown. */
export interface ShownDifference {
  readonly difference: DecimalText;
  readonly hours: DecimalText;
}

/** A cause with what it comes to as it is shown, which is what its own causes add up to. */
export interface ShownCause extends ShownDifference {
  readonly cause: Cause;
  readonly children: readonly ShownCause[];
}

/** Causes and their own, each level rounded so that it adds up to what is above it. */
export function showCauses(
  causes: readonly Cause[],
  whole: ShownDifference,
  decimals: number,
): readonly ShownCause[] {
  const amounts = shareOut(
    causes.map(({ amount }) => amount),
    decimals,
    whole.difference,
  );
  const hours = shareOut(
    causes.map(({ cuMs = 0 }) => amountOfUse(cuMs)),
    hourDecimals,
    whole.hours,
  );
  return causes.map((cause, index) => {
    const own = { difference: amounts[index] ?? '', hours: hours[index] ?? '' };
    return { cause, ...own, children: showCauses(cause.children, own, decimals) };
  });
}

/** How much money a cause makes more or less, to compare causes by. */
export function sizeOf({ cause }: Pick<ShownCause, 'cause'>): number {
  return Math.abs(amountNumber(cause.amount));
}

/** So many of the causes that make most, in the order in which they are. */
export function largestOf(causes: readonly ShownCause[], count: number): readonly ShownCause[] {
  const most = new Set(causes.toSorted((a, b) => sizeOf(b) - sizeOf(a)).slice(0, count));
  return causes.filter(each => most.has(each));
}

/** What several causes come to in money, exactly. */
export function sumShown(causes: readonly ShownCause[]) {
  return sumCauses(causes.map(({ cause }) => cause));
}
