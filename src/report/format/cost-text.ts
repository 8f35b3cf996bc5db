import {
  type Amount,
  addAmounts,
  amountOf,
  compareAmounts,
  currencyDecimals,
  noAmount,
  showAmount,
  subtractAmounts,
  sumAmounts,
} from '../../cost/money/money.ts';
import { shareTable } from '../../cost/money/table-share.ts';
import type { CostSum } from '../../cost/rating/cost-line.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import type { ScopedCost } from '../row/scoped-cost.ts';
import { showHourTotal } from './hour-text.ts';
import type { Cell } from './report.ts';
import { placeOf } from './step-place.ts';

/** Costs of rows and their total, as they are shown. */
interface ShownCosts {
  readonly cells: readonly Cell[];
  readonly total: Cell;
}

/**
 * Costs as cells, rounded so that they add up to their step, to the total, and to their row without steps as far as all that can
 * be; what has no price is unpriced, never 0.
 */
export function showCosts(costs: readonly ScopedCost[], decimals: number): ShownCosts {
  const sums = costs.map(({ sum }) => sum);
  const parts = costs.map(({ scope, sum }) => {
    const { row, column: step } = placeOf(scope);
    return { amount: sum.amount, row: step, column: row };
  });
  const texts = shareTable(parts, decimals);
  return {
    cells: sums.map((sum, index) => reasonForNone([sum]) ?? texts[index]),
    total: reasonForNone(sums) ?? showAmount(sumAmounts(sums.map(({ amount }) => amount)), decimals),
  };
}

/** The reason in place of an amount where none of these has one; undefined where there is an amount. */
export function reasonForNone(sums: readonly CostSum[]): Cell {
  const isKnown = sums.some(
    ({ amount, includedCuMs }) => compareAmounts(amount, noAmount) !== 0 || includedCuMs > 0,
  );
  if (isKnown) return undefined;
  if (sums.some(({ unconverted }) => unconverted.size > 0)) return { missing: 'not converted' };
  // A credit may take all off that is priced.
  if (sums.some(({ usedCuMs, unknownCuMs }) => usedCuMs > unknownCuMs)) return undefined;
  return sums.some(({ unpricedCuMs }) => unpricedCuMs > 0) ? { missing: 'unpriced' } : undefined;
}

/**
 * Sentences on the use and the money that costs leave out.
 *
 * @param acceptedCuMs unpriced use that is no gap.
 * @param book such as ` as configured`, where there are two price books.
 */
export function describeUnknown(sums: readonly CostSum[], acceptedCuMs: number, book = ''): string[] {
  const unpricedCuMs = sums.reduce((all, sum) => all + sum.unpricedCuMs, -acceptedCuMs);
  const unpriced = showHourTotal([unpricedCuMs]);
  const isUnpriced = unpricedCuMs > 0;
  const unconverted = new Map<string, Amount>();
  for (const [currency, amount] of sums.flatMap(sum => [...sum.unconverted])) {
    unconverted.set(currency, addAmounts(unconverted.get(currency) ?? noAmount, amount));
  }
  return [
    ...(isUnpriced
      ? [
          `${unpriced} compute hours are unpriced${book}: no plan or price is for them, and the cost is without them.`,
        ]
      : []),
    ...[...unconverted].map(
      ([currency, amount]) =>
        `${showAmount(amount, currencyDecimals(currency))} ${currency} could not be converted${book}: there is no exchange rate for it, and the cost is without it.`,
    ),
  ];
}

/** The difference of amounts as they are shown, so that it agrees with them; undefined where one has no amount. */
export function subtractShown(more: Cell, less: Cell, decimals: number): DecimalText | undefined {
  if (typeof more !== 'string' || typeof less !== 'string') return undefined;
  return showAmount(subtractAmounts(amountOf(more), amountOf(less)), decimals);
}
