import Big from 'big.js';
import type { Amount } from './money.ts';

/** An amount to be kept, exact: a decimal number over 3,600,000, and over a whole one after a `/`. */
export function writeAmount({ numerator, divisor }: Amount): string {
  return divisor === undefined ? numerator.toFixed() : `${numerator.toFixed()}/${divisor}`;
}

/** Reads an amount back from the text that `writeAmount` made of it. */
export function readAmount(text: string): Amount {
  const [numerator = '', divisor] = text.split('/');
  return { numerator: Big(numerator), ...(divisor !== undefined && { divisor: BigInt(divisor) }) };
}
