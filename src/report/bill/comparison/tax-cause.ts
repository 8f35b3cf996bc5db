import {
  type Amount,
  addAmounts,
  compareAmounts,
  isNothing,
  subtractAmounts,
} from '../../../cost/money/money.ts';
import { timesAmountRatio } from '../../../cost/money/ratio.ts';
import type { BillItem } from './bill-item.ts';
import {
  type Cause,
  type CauseParts,
  differenceOf,
  halfUnit,
  isWithin,
  type Pairing,
  roundingOf,
  sizeOf,
  sumOf,
} from './cause.ts';

/**
 * Splits what a tax differs by as that differs which it is on; what is left is another rate. Undefined where that explains
 * nothing, such as for a tax that is on other things.
 *
 * @param base why all differs that is no tax.
 * @param items the whole bill.
 */
export function splitTax(
  pairing: Pairing,
  base: CauseParts,
  items: readonly BillItem[],
): CauseParts | undefined {
  const difference = differenceOf(pairing);
  const rounding = roundingOf(pairing);
  const taxed = sumOf(items.filter(({ kind }) => kind !== 'tax').map(({ amount }) => amount));
  if (pairing.items.length === 0 || isNothing(taxed) || isWithin(difference, rounding)) return undefined;
  // Several lines are rounded each, and ours as a whole.
  if (pairing.lines.length > 1 && isWithin(difference, addAmounts(rounding, halfUnit(pairing.decimals))))
    return new Map([['rounding', difference]]);
  const tax = sumOf(pairing.items.map(({ amount }) => amount));
  const parts = new Map(
    [...base].map(([cause, amount]): [Cause, Amount] => [cause, timesAmountRatio(amount, tax, taxed)]),
  );
  const left = subtractAmounts(difference, sumOf([...parts.values()]));
  if (compareAmounts(sizeOf(left), sizeOf(difference)) >= 0) return undefined;
  const cause = isWithin(left, addAmounts(rounding, rounding)) ? 'rounding' : 'price';
  const last = addAmounts(parts.get(cause) ?? sumOf([]), left);
  return new Map([...parts, [cause, last] as const].filter(([, amount]) => !isNothing(amount)));
}
