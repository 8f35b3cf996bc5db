import { type Amount, isNothing, subtractAmounts } from '../money/money.ts';
import { type MeanPrice, timesAmountRatio, timesRatio } from '../money/ratio.ts';
import type { ValuedUse } from './valued-use.ts';

/** The parts of the difference of what a project's use comes to before included hours; they add up to it exactly. */
export interface PriceEffect {
  /** More use, at the price and the exchange rate of before. */
  readonly use: Amount;
  /** Other prices, of the use of after at the exchange rate of before. */
  readonly price: Amount;
  /** Other exchange rates, of the use and at the prices of after. */
  readonly rate: Amount;
  /** What the use of before came to. */
  readonly meanPrice: MeanPrice;
}

/**
 * Puts one after the other in the place of what it was before: use, then price, then exchange rate.
 *
 * @param priced use of before that has the old price where the project itself had none; absent where none has.
 */
export function splitPriceEffect(
  before: ValuedUse,
  after: ValuedUse,
  priced: ValuedUse = after,
): PriceEffect {
  const old = before.usedCuMs > 0 ? before : priced;
  const atOldPrice = old.usedCuMs > 0 ? timesRatio(old.gross, after.usedCuMs, old.usedCuMs) : after.gross;
  const atOldRate = hasRates(old, after) ? timesAmountRatio(after.own, old.gross, old.own) : after.gross;
  return {
    use: subtractAmounts(atOldPrice, before.gross),
    price: subtractAmounts(atOldRate, atOldPrice),
    rate: subtractAmounts(after.gross, atOldRate),
    meanPrice: { amount: old.gross, whole: old.usedCuMs },
  };
}

/** Amounts in several currencies have no common exchange rate: then all is a matter of price. */
function hasRates(before: ValuedUse, after: ValuedUse): boolean {
  return before.currencies.union(after.currencies).size === 1 && !isNothing(before.own);
}
