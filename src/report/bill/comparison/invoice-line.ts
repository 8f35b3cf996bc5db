import type { DecimalText } from '../../../resources/price-book.ts';

/** A line of a vendor's invoice; numbers have the decimals they are written with. */
export interface InvoiceLine {
  /** Its line in the file. */
  readonly line: number;
  readonly description: string;
  readonly quantity?: DecimalText;
  readonly unitPrice?: DecimalText;
  readonly amount: DecimalText;
  /** Id or name. */
  readonly project?: string;
}

/**
 * A number of an invoice as a plain decimal: without spaces, currency and the marks between thousands; negative also in
 * brackets. Undefined for any other text.
 */
export function readInvoiceNumber(text: string, decimal: 'point' | 'comma'): DecimalText | undefined {
  const bare = text.replaceAll(/[\s']|\p{Sc}|\b[A-Z]{3}\b/gu, '');
  const [, inBrackets] = /^\((.+)\)$/.exec(bare) ?? [];
  const number = inBrackets === undefined ? bare : `-${inBrackets}`;
  const plain = decimal === 'point' ? number : number.replaceAll(/[.,]/g, mark => (mark === ',' ? '.' : ','));
  const isGrouped = /^[-+]?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(plain);
  const digits = (isGrouped ? plain.replaceAll(',', '') : plain).replace(/^\+/, '');
  return /^-?(?:\d{1,15})(?:\.\d{1,12})?$/.test(digits) ? digits : undefined;
}
