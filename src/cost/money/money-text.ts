import type { DecimalText } from '../../resources/price-book.ts';
import { decimalsOf } from './decimal-sum.ts';

/** Making one takes longer than a table of numbers does. */
const formats = new Map<string, Intl.NumberFormat>();

/** An amount of money to all of its decimals, as pages and sentences write it: `€1,234.50`. */
export function writeMoney(decimal: DecimalText, currency: string): string {
  const decimals = decimalsOf(decimal);
  const key = `${currency} ${decimals}`;
  const digits = { minimumFractionDigits: decimals, maximumFractionDigits: decimals };
  const format = formats.get(key) ?? new Intl.NumberFormat('en', { style: 'currency', currency, ...digits });
  formats.set(key, format);
  return format.format(decimal as `${number}`);
}

/** Prices of one thing one after another: `$0.16 and $0.171`. */
export function writePrices(prices: ReadonlySet<DecimalText>, currency: string): string {
  return [...prices].map(price => writeMoney(price, currency)).join(' and ');
}
