import Big from 'big.js';
import { maxOf } from '../../resources/min-max.ts';
import type { DecimalText } from '../../resources/price-book.ts';
import { computeHourMs } from '../../resources/usage/ledger.ts';
import { writeDecimal } from './decimal-sum.ts';
import { largestRemainder } from './whole-share.ts';

/**
 * An exact sum of money, or of compute hours. A price times CU-milliseconds need not end after any number of decimals
 * once it is divided by those of an hour, so that division waits until an amount is shown; so does that of an amount
 * for a part of a billing period.
 */
export interface Amount {
  /** The upper part of a fraction over 3,600,000, and over the divisor. */
  readonly numerator: Big;
  /** Above 1 where it is there. */
  readonly divisor?: bigint;
}

export const noAmount: Amount = { numerator: Big(0) };

/** The amount of a decimal number: money in its currency, or compute hours. */
export function amountOf(decimal: DecimalText): Amount {
  return { numerator: Big(decimal).times(computeHourMs) };
}

/**
 * The cost of an amount of usage. At a price of 1 it is the compute hours, or other units, themselves.
 *
 * @param parts whole CU-milliseconds, or whole parts of another unit.
 */
export function amountOfUse(
  parts: number,
  perUnit: DecimalText = '1',
  partsOfUnit: number = computeHourMs,
): Amount {
  const numerator = Big(perUnit).times(parts);
  if (partsOfUnit === computeHourMs) return { numerator };
  return overWhole(numerator.times(computeHourMs), BigInt(partsOfUnit));
}

export function addAmounts(a: Amount, b: Amount): Amount {
  if (a === noAmount) return b;
  if (a.divisor === b.divisor) return { ...a, numerator: a.numerator.plus(b.numerator) };
  const divisor = leastMultiple(a.divisor ?? 1n, b.divisor ?? 1n);
  return { numerator: numeratorOver(a, divisor).plus(numeratorOver(b, divisor)), divisor };
}

export function sumAmounts(amounts: readonly Amount[]): Amount {
  return amounts.reduce(addAmounts, noAmount);
}

export function subtractAmounts(a: Amount, b: Amount): Amount {
  return addAmounts(a, negateAmount(b));
}

export function negateAmount(amount: Amount): Amount {
  return { ...amount, numerator: amount.numerator.neg() };
}

/** Converts an amount by an exchange rate, or multiplies it. */
export function timesRate(amount: Amount, rate: DecimalText): Amount {
  // Most plans are in the currency that is shown.
  if (rate === '1') return amount;
  return { ...amount, numerator: amount.numerator.times(rate) };
}

/** A part of an amount: whole parts of a whole, such as the milliseconds of a billing period. */
export function partOfAmount(amount: Amount, part: number, whole: number): Amount {
  if (part === whole) return amount;
  if (part === 0) return noAmount;
  const common = greatestDivisor(BigInt(part), BigInt(whole));
  const numerator = amount.numerator.times(String(BigInt(part) / common));
  return overWhole(numerator, (amount.divisor ?? 1n) * (BigInt(whole) / common));
}

function overWhole(numerator: Big, divisor: bigint): Amount {
  return divisor === 1n ? { numerator } : { numerator, divisor };
}

/** Negative when the first is less, 0 when they are equal to the last decimal. */
export function compareAmounts(a: Amount, b: Amount): number {
  if (a.divisor === b.divisor) return a.numerator.cmp(b.numerator);
  const divisor = leastMultiple(a.divisor ?? 1n, b.divisor ?? 1n);
  return numeratorOver(a, divisor).cmp(numeratorOver(b, divisor));
}

export function maxAmount(one: Amount, other: Amount): Amount {
  return compareAmounts(one, other) > 0 ? one : other;
}

export function minAmount(one: Amount, other: Amount): Amount {
  return compareAmounts(one, other) < 0 ? one : other;
}

export function isNothing({ numerator }: Amount): boolean {
  return numerator.eq(0);
}

/** The nearest number a gauge or chart can hold; not for adding up. */
export function amountNumber({ numerator, divisor = 1n }: Amount): number {
  return numerator.toNumber() / (computeHourMs * Number(divisor));
}

/** Rounded to `decimals` as a vendor does: half of the last one away from 0. */
export function roundAmount(amount: Amount, decimals: number): Amount {
  const round = ({ numerator, denominator }: Fraction) => {
    const size = (2n * (numerator < 0n ? -numerator : numerator) + denominator) / (2n * denominator);
    return numerator < 0n ? -size : size;
  };
  return amountOf(writeRounded(amount, decimals, round));
}

/** Rounded down to whole parts of a unit: compute hours become CU-milliseconds. */
export function wholePart({ numerator, divisor = 1n }: Amount, partsOfUnit: number = computeHourMs): number {
  const parts = numerator.times(partsOfUnit).round(0, Big.roundDown).toFixed();
  return Number(BigInt(parts) / (divisor * BigInt(computeHourMs)));
}

/** Rounded to `decimals`; of two as near the even one. */
export function showAmount(amount: Amount, decimals: number): DecimalText {
  return writeRounded(amount, decimals, roundHalfEven);
}

/** Rounded up to `decimals`: for what something is at most. */
export function showAtMost(amount: Amount, decimals: number): DecimalText {
  return writeRounded(amount, decimals, ({ numerator, denominator }) => {
    const down = numerator / denominator;
    return down * denominator < numerator ? down + 1n : down;
  });
}

/**
 * Parts as they are shown, so that they add up to their total as it is shown; each is less than one unit off.
 *
 * @param total as it is shown; where it is a difference of two that are shown, it and the parts may be one unit off.
 */
export function shareOut(
  parts: readonly Amount[],
  decimals: number,
  total = showAmount(sumAmounts(parts), decimals),
): DecimalText[] {
  const quotas = fractionsOf(parts, decimals);
  const shares = largestRemainder(
    BigInt(total.replace('.', '')),
    quotas.map(quota => quota.numerator),
    quotas[0]?.denominator ?? 1n,
  );
  return shares.map(units => writeDecimal(units, decimals));
}

/** In proportion to other amounts, none of them negative; the parts add up to the amount to the last decimal. */
export function splitAmount({ numerator, ...over }: Amount, weights: readonly Amount[]): Amount[] {
  const whole = sumAmounts(weights);
  let restWeight = whole.numerator;
  let rest = numerator;
  return weights.map(each => {
    const weight = numeratorOver(each, whole.divisor ?? 1n);
    const share = weight.eq(restWeight) ? rest : numerator.times(weight).div(whole.numerator);
    restWeight = restWeight.minus(weight);
    rest = rest.minus(share);
    return { ...over, numerator: share };
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

function writeRounded(amount: Amount, decimals: number, round: (units: Fraction) => bigint): DecimalText {
  return fractionsOf([amount], decimals)
    .map(units => writeDecimal(round(units), decimals))
    .join('');
}

/** Amounts in units of the last decimal, over one denominator. */
export function fractionsOf(amounts: readonly Amount[], decimals: number): Fraction[] {
  const divisor = amounts.reduce((common, each) => leastMultiple(common, each.divisor ?? 1n), 1n);
  const texts = amounts.map(amount => numeratorOver(amount, divisor).toFixed());
  const places = Math.max(0, maxOf(texts.map(text => fractionOf(text).length)));
  const denominator = BigInt(computeHourMs) * divisor * 10n ** BigInt(places);
  return texts.map(text => {
    const digits = text.replace('.', '') + '0'.repeat(places - fractionOf(text).length);
    return { numerator: BigInt(digits) * 10n ** BigInt(decimals), denominator };
  });
}

/** The upper part of an amount over a multiple of its divisor. */
function numeratorOver({ numerator, divisor = 1n }: Amount, multiple: bigint): Big {
  return divisor === multiple ? numerator : numerator.times(String(multiple / divisor));
}

function leastMultiple(a: bigint, b: bigint): bigint {
  return a === b ? a : (a / greatestDivisor(a, b)) * b;
}

function greatestDivisor(a: bigint, b: bigint): bigint {
  return b === 0n ? a : greatestDivisor(b, a % b);
}

function fractionOf(text: DecimalText): string {
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

/** An amount to be kept, exact: a decimal number over 3,600,000, and over a whole one after a `/`. */
export function writeAmount({ numerator, divisor }: Amount): string {
  return divisor === undefined ? numerator.toFixed() : `${numerator.toFixed()}/${divisor}`;
}

/** Reads an amount back from the text that `writeAmount` made of it. */
export function readAmount(text: string): Amount {
  const [numerator = '', divisor] = text.split('/');
  return { numerator: Big(numerator), ...(divisor !== undefined && { divisor: BigInt(divisor) }) };
}
