import { addAmounts, amountOf, amountOfUse, noAmount, shareOut, showAmount } from '../../cost/money/money.ts';
import type { DecimalText } from '../../resources/price-book.ts';

/** Decimals of hours. */
const decimals = 2;

/** Compute hours of a column, rounded so that they add up to their total. */
export function showHours(cuMs: readonly number[]): DecimalText[] {
  return shareOut(
    cuMs.map(each => amountOfUse(Math.round(each))),
    decimals,
  );
}

/** The total of a column of compute hours. */
export function showHourTotal(cuMs: readonly number[]): DecimalText {
  return showAmount(amountOfUse(cuMs.reduce((sum, each) => sum + Math.round(each), 0)), decimals);
}

/** Compute hours of rows and their totals, each the whole followed by its parts. */
export interface HourTable {
  readonly rows: readonly (readonly DecimalText[])[];
  readonly totals: readonly DecimalText[];
}

/**
 * Compute hours of rows that consist of parts, such as included and billed ones, rounded so that both rows and columns add
 * up: the total to its parts, and those to their rows.
 */
export function showHourParts(rows: readonly (readonly number[])[]): HourTable {
  const columns = (rows[0] ?? []).map((_, index) => rows.map(parts => amountOfUse(parts[index] ?? 0)));
  const sums = columns.map(parts => parts.reduce(addAmounts, noAmount));
  const totals = shareOut(sums, decimals);
  const shares = columns.map((parts, index) => shareOut(parts, decimals, totals[index]));
  const withWhole = (parts: readonly DecimalText[]) => [addTexts(parts), ...parts];
  return {
    rows: rows.map((_, row) => withWhole(shares.map(texts => texts[row] ?? ''))),
    totals: withWhole(totals),
  };
}

function addTexts(texts: readonly DecimalText[]): DecimalText {
  return showAmount(texts.map(amountOf).reduce(addAmounts, noAmount), decimals);
}

/** Parts of a total in percent, which add up to 100; undefined where the total is 0. */
export function showShares(parts: readonly number[]): (DecimalText | undefined)[] {
  const total = parts.reduce((sum, part) => sum + part, 0);
  if (total === 0) return parts.map(() => undefined);
  return shareOut(
    parts.map(part => amountOf(((100 * part) / total).toFixed(12))),
    1,
  );
}
