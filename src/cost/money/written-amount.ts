import Big from 'big.js';
import type { DecimalText } from '../../resources/price-book.ts';
import type { Amount } from './money.ts';

/** An amount to be kept, exact: a decimal number over 3,600,000. */
export function writeAmount({ numerator }: Amount): DecimalText {
  return numerator.toFixed();
}

/** Reads an amount back from the text that `writeAmount` made of it. */
export function readAmount(text: DecimalText): Amount {
  return { numerator: Big(text) };
}
