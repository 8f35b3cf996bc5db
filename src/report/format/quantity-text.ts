import { type Amount, addAmounts, noAmount, shareOutBy, showAmount } from '../../cost/money/money.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import type { RowScope } from '../row/scope.ts';

/** A column of quantities as it is shown. */
export interface ShownQuantities {
  readonly cells: readonly (DecimalText | undefined)[];
  readonly total: DecimalText | undefined;
}

/**
 * Quantities of a column, rounded so that they add up to their step, and to their total: alike in every report, whatever the
 * order of its rows. An unknown quantity is absent, and so is a total of nothing known.
 */
export function showQuantities(
  quantities: readonly (Amount | undefined)[],
  scopes: readonly Pick<RowScope, 'key' | 'step'>[],
  decimals: number,
): ShownQuantities {
  const known = quantities
    .flatMap((quantity, row) =>
      quantity === undefined ? [] : [{ row, quantity, key: scopes[row]?.key ?? '', step: scopes[row]?.step }],
    )
    .sort((a, b) => (a.key < b.key ? -1 : 1));
  const amounts = known.map(({ quantity }) => quantity);
  const shares = shareOutBy(
    amounts,
    known.map(({ step }) => step),
    decimals,
  );
  const texts = new Map(known.map(({ row }, index) => [row, shares[index]]));
  return {
    cells: quantities.map((_, row) => texts.get(row)),
    total: known.length === 0 ? undefined : showAmount(amounts.reduce(addAmounts, noAmount), decimals),
  };
}
