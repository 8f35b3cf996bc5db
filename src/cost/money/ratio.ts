import { type Amount, noAmount, subtractAmounts, sumAmounts } from './money.ts';

/** An amount times one number over another, such as a cost at the mean price of other use; to twenty decimals. */
export function timesRatio(amount: Amount, upper: number, lower: number): Amount {
  return { ...amount, numerator: amount.numerator.times(upper).div(lower) };
}

/** An amount times one amount over another that is not 0; to twenty decimals. */
export function timesAmountRatio(amount: Amount, upper: Amount, lower: Amount): Amount {
  const over = upper.numerator.times(String(lower.divisor ?? 1n));
  const under = lower.numerator.times(String(upper.divisor ?? 1n));
  return { ...amount, numerator: amount.numerator.times(over).div(under) };
}

/** What `whole` of something cost. */
export interface MeanPrice {
  readonly amount: Amount;
  readonly whole: number;
}

/**
 * Parts of a total at a mean price, negative ones too. They add up to the total to the last decimal, as the last part is
 * what the others leave.
 */
export function splitAtPrice(
  total: Amount,
  { amount, whole }: MeanPrice,
  parts: readonly number[],
): Amount[] {
  const priced = parts.slice(0, -1).map(part => (whole === 0 ? noAmount : timesRatio(amount, part, whole)));
  const rest = subtractAmounts(total, sumAmounts(priced));
  return parts.length === 0 ? [] : [...priced, rest];
}
