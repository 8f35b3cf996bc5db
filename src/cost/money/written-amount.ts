import Big from 'big.js';
import type { DecimalText } from '../../resources/price-book.ts';
import type { Amount } from './money.ts';

/** An amount to be kept, exact: a decimal number over 3,600,000. */
export function writeAmount({ numerator }: Amount): DecimalText {
  return numerator.toFixed();
}

/** What `writeAmount` wrote. */
export function readAmount(text: DecimalText): Amount {
  return { numerator: Big(text) };
}
