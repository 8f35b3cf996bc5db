import Big from 'big.js';
import type { DecimalText } from '../../resources/price-book.ts';
import { computeHourMs } from '../../resources/usage/ledger.ts';
import { largestRemainder } from './largest-remainder.ts';

/**
 * An exact sum of money, or of compute hours. A price times CU-milliseconds need not end after any number of decimals
 * once it is divided by those of an hour, so that division waits until an amount is shown.
 */
export interface Amount {
  /** The upper part of a fraction over 3,600,000. */
  readonly numerator: Big;
}

export const noAmount: Amount = { numerator: Big(0) };

/** The amount of a decimal number: money in its currency, or compute hours. */
export function amountOf(decimal: DecimalText): Amount {
  return { numerator: Big(decimal).times(computeHourMs) };
}

/**
 * The cost of an amount of usage. At a price of 1 it is the compute hours themselves.
 *
 * @param cuMs whole CU-milliseconds.
 */
export function amountOfUse(cuMs: number, perComputeHour: DecimalText = '1'): Amount {
  return { numerator: Big(perComputeHour).times(cuMs) };
}

export function addAmounts(a: Amount, b: Amount): Amount {
  if (a === noAmount) return b;
  return { numerator: a.numerator.plus(b.numerator) };
}

export function subtractAmounts(a: Amount, b: Amount): Amount {
  return { numerator: a.numerator.minus(b.numerator) };
}

/** Converts an amount by an exchange rate. */
export function timesRate(amount: Amount, rate: DecimalText): Amount {
  return { numerator: amount.numerator.times(rate) };
}

/** Negative when the first is less, 0 when they are equal to the last decimal. */
export function compareAmounts(a: Amount, b: Amount): number {
  return a.numerator.cmp(b.numerator);
}

/** The nearest number a gauge or chart can hold; not for adding up. */
export function amountNumber({ numerator }: Amount): number {
  return numerator.toNumber() / computeHourMs;
}

/** Rounded to `decimals`; of two as near the even one. */
export function showAmount(amount: Amount, decimals: number): DecimalText {
  const [fraction] = fractionsOf([amount], decimals);
  return fraction === undefined ? '' : showUnits(roundHalfEven(fraction), decimals);
}

/** Rounded up to `decimals`: for what something is at most. */
export function showAtMost(amount: Amount, decimals: number): DecimalText {
  const [fraction] = fractionsOf([amount], decimals);
  if (fraction === undefined) return '';
  const { numerator, denominator } = fraction;
  const down = numerator / denominator;
  return showUnits(down * denominator < numerator ? down + 1n : down, decimals);
}

/**
 * Parts as they are shown, so that they add up to their total as it is shown; each is less than one unit off.
 *
 * @param total if it is not rounded to the nearest, the other of the two next to it.
 */
export function shareOut(
  parts: readonly Amount[],
  decimals: number,
  total = showAmount(parts.reduce(addAmounts, noAmount), decimals),
): DecimalText[] {
  const quotas = fractionsOf(parts, decimals);
  const shares = largestRemainder(
    BigInt(total.replace('.', '')),
    quotas.map(quota => quota.numerator),
    quotas[0]?.denominator ?? 1n,
  );
  return shares.map(units => showUnits(units, decimals));
}

/** In proportion to whole parts; they add up to the amount to the last decimal. */
export function splitAmount({ numerator }: Amount, parts: readonly number[]): Amount[] {
  const whole = parts.reduce((sum, part) => sum + part, 0);
  let restParts = whole;
  let rest = numerator;
  return parts.map(part => {
    const share = part === restParts ? rest : numerator.times(part).div(whole);
    restParts -= part;
    rest = rest.minus(share);
    return { numerator: share };
  });
}

/** How many decimals a currency is written with, such as 2 for USD and 0 for JPY. */
export function currencyDecimals(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency });
  return format.resolvedOptions().maximumFractionDigits ?? 2;
}

interface Fraction {
  readonly numerator: bigint;
  readonly denominator: bigint;
}

/** Amounts in units of the last decimal, over one denominator. */
function fractionsOf(amounts: readonly Amount[], decimals: number): Fraction[] {
  const texts = amounts.map(({ numerator }) => numerator.toFixed());
  const places = Math.max(0, ...texts.map(text => decimalsOf(text).length));
  const denominator = BigInt(computeHourMs) * 10n ** BigInt(places);
  return texts.map(text => {
    const digits = text.replace('.', '') + '0'.repeat(places - decimalsOf(text).length);
    return { numerator: BigInt(digits) * 10n ** BigInt(decimals), denominator };
  });
}

function decimalsOf(text: DecimalText): string {
  return text.split('.')[1] ?? '';
}

function roundHalfEven({ numerator, denominator }: Fraction): bigint {
  const size = numerator < 0n ? -numerator : numerator;
  const down = size / denominator;
  const twice = (size % denominator) * 2n;
  const isUp = twice > denominator || (twice === denominator && down % 2n === 1n);
  const rounded = isUp ? down + 1n : down;
  return numerator < 0n ? -rounded : rounded;
}

function showUnits(units: bigint, decimals: number): DecimalText {
  const sign = units < 0n ? '-' : '';
  const digits = String(units < 0n ? -units : units).padStart(decimals + 1, '0');
  const point = digits.length - decimals;
  return decimals === 0 ? sign + digits : `${sign}${digits.slice(0, point)}.${digits.slice(point)}`;
}
