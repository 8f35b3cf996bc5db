import { type Amount, addAmounts, noAmount, shareOut, showAmount } from '../../cost/money/money.ts';
import type { DecimalText } from '../../resources/price-book.ts';

/** A column of quantities as it is shown. */
export interface ShownQuantities {
  readonly cells: readonly (DecimalText | undefined)[];
  readonly total: DecimalText | undefined;
}

/**
 * Quantities of a column, rounded so that they add up to their total: alike in every report, whatever the order of its rows.
 * An unknown quantity is absent, and so is a total of nothing known.
 *
 * @param keys tell the rows apart.
 */
export function showQuantities(
  quantities: readonly (Amount | undefined)[],
  keys: readonly string[],
  decimals: number,
): ShownQuantities {
  const known = quantities
    .flatMap((quantity, row) => (quantity === undefined ? [] : [{ row, quantity, key: keys[row] ?? '' }]))
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const amounts = known.map(({ quantity }) => quantity);
  const shares = shareOut(amounts, decimals);
  const texts = new Map(known.map(({ row }, index) => [row, shares[index]]));
  return {
    cells: quantities.map((_, row) => texts.get(row)),
    total: known.length === 0 ? undefined : showAmount(amounts.reduce(addAmounts, noAmount), decimals),
  };
}
