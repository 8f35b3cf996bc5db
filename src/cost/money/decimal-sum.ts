import type { DecimalText } from '../../resources/price-book.ts';

/**
 * Adds up decimal numbers with the same number of decimals, exactly: a column of ten thousand as it is shown.
 *
 * @returns undefined where there is none.
 */
export function addDecimals(decimals: readonly DecimalText[]): DecimalText | undefined {
  const [first] = decimals;
  if (first === undefined) return undefined;
  const places = decimalsOf(first);
  let units = 0n;
  for (const decimal of decimals) {
    if (decimalsOf(decimal) !== places) throw new Error(`"${decimal}" has another number of decimals`);
    units += BigInt(decimal.replace('.', ''));
  }
  return writeDecimal(units, places);
}

/** The difference of two decimal numbers with the same number of decimals, exactly. */
export function subtractDecimals(more: DecimalText, less: DecimalText): DecimalText {
  return addDecimals([more, less.startsWith('-') ? less.slice(1) : `-${less}`]) ?? more;
}

/** Whether a decimal is more than a rounded nothing, such as `-0.00`, on either side of it. */
export function isSome(decimal: DecimalText): boolean {
  return /[1-9]/.test(decimal);
}

/** Writes units of the last decimal place as a decimal. */
export function writeDecimal(units: bigint, places: number): DecimalText {
  const digits = String(units < 0n ? -units : units).padStart(places + 1, '0');
  const sign = units < 0n ? '-' : '';
  return places === 0 ? sign + digits : `${sign}${digits.slice(0, -places)}.${digits.slice(-places)}`;
}

/** How many decimals a decimal number is written with. */
export function decimalsOf(decimal: DecimalText): number {
  const point = decimal.indexOf('.');
  return point < 0 ? 0 : decimal.length - point - 1;
}
