import { amountOf, amountOfUse, shareOut, showAmount } from '../../cost/money.ts';
import type { DecimalText } from '../../resources/price-book.ts';

/** Of compute hours, awake hours and shares. */
const decimals = 2;

/** Compute hours of a column, rounded so that they add up to their total. */
export function showHours(cuMs: readonly number[]): DecimalText[] {
  return shareOut(
    cuMs.map(each => amountOfUse(Math.round(each))),
    decimals,
  );
}

/** The total of such a column. */
export function showHourTotal(cuMs: readonly number[]): DecimalText {
  return showAmount(amountOfUse(cuMs.reduce((sum, each) => sum + Math.round(each), 0)), decimals);
}

/** Parts of their total in percent, which add up to 100; none where there is nothing to share. */
export function showShares(parts: readonly number[]): (DecimalText | undefined)[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total === 0) return parts.map(() => undefined);
  return shareOut(
    parts.map(part => amountOf(((100 * part) / total).toFixed(12))),
    1,
  );
}
