import { decimalsOf } from '../../cost/money/decimal-sum.ts';
import { writeMoney } from '../../cost/money/money-text.ts';
import type { DecimalText } from '../../resources/price-book.ts';

const language = 'en';
/** Making one takes longer than a table of numbers does. */
const formats = new Map<string, Intl.NumberFormat>();

function formatOf(options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = JSON.stringify(options);
  const format = formats.get(key) ?? new Intl.NumberFormat(language, options);
  formats.set(key, format);
  return format;
}

/** A decimal number with its thousands separated and all of its decimals; empty where there is none. */
export function showDecimal(decimal: DecimalText | null): string {
  if (decimal === null) return '';
  const decimals = decimalsOf(decimal);
  return formatOf({
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  }).format(decimal as `${number}`);
}

/** Hours with no more decimals than matter: `0.04`, `12.4`, `5,040`; empty where there are none. */
export function showHours(decimal: DecimalText | null): string {
  if (decimal === null) return '';
  const size = Math.abs(Number(decimal));
  const decimals = size >= 1000 ? 0 : size >= 0.095 || size === 0 ? 1 : 2;
  return formatOf({ minimumFractionDigits: decimals, maximumFractionDigits: decimals })
    .format(decimal as `${number}`)
    .replace('-', '−');
}

/** An amount of money to all of its decimals, `€1,234.50`; without a currency, compute hours: `12.4 h`; empty where there is none. */
export function showMoney(decimal: DecimalText | null, currency: string | null): string {
  if (decimal === null) return '';
  return currency === null ? `${showHours(decimal)} h` : writeMoney(decimal, currency);
}

/** A price as it is paid, with the list price where a discount is off it: `$0.171 (list $0.18 − 5%)`. */
export function sayPrice(paid: DecimalText, list: DecimalText | null, currency: string): string {
  const shown = showMoney(paid, currency);
  const discount = list === null || Number(list) === 0 ? 0 : 1 - Number(paid) / Number(list);
  return discount <= 0
    ? shown
    : `${shown} (list ${showMoney(list ?? '', currency)} − ${showShare(discount)})`;
}

/** The same of a price and its currency as reports write them: `0.171 USD`. */
export function sayReportedPrice(price: string, list: DecimalText | null = null): string {
  const [, amount, currency] = /^(\d+(?:\.\d+)?) ([A-Z]{3})$/.exec(price) ?? [];
  return amount === undefined || currency === undefined ? price : sayPrice(amount, list, currency);
}

/** A difference: more is not worse, and the sign says which way. */
export function showMore(decimal: DecimalText, currency: string | null): string {
  return `${decimal.startsWith('-') ? '−' : '+'}${showMoney(decimal.replace(/^-/, ''), currency)}`;
}

/** A round amount of money where there is little room: `$20`, `$1.2M`. */
export function showMoneyBriefly(decimal: DecimalText, currency: string | null): string {
  if (currency === null) return `${showNumber(Number(decimal), 2)} h`;
  if (Math.abs(Number(decimal)) < 100_000) return showMoney(decimal, currency);
  return formatOf({ style: 'currency', currency, notation: 'compact', maximumFractionDigits: 1 }).format(
    decimal as `${number}`,
  );
}

/** A whole number, or one with few decimals: `1,234`; empty where there is none. */
export function showNumber(value: number | null, decimals = 0): string {
  if (value === null) return '';
  return formatOf({ maximumFractionDigits: decimals }).format(value);
}

/** A part of a whole, 0 to 1, as percents. */
export function showShare(part: number): string {
  return formatOf({ style: 'percent', maximumFractionDigits: 1 }).format(part);
}

/** Bytes in the largest unit that leaves a number above 1. */
export function showBytes(bytes: number): string {
  const units = ['B', 'kB', 'MB', 'GB', 'TB', 'PB'];
  const power = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  return `${showNumber(bytes / 1000 ** power, power === 0 ? 0 : 1)} ${units[power]}`;
}
