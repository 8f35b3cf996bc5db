import { matchesGlob } from '../../../resources/glob.ts';
import type { InvoiceLineRule } from '../../../resources/invoice-rule.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import type { BillItem } from './bill-item.ts';

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

/** What a line of an invoice is of ours. */
export type LineMeaning = Omit<InvoiceLineRule, 'match'>;

/** What descriptions usually mean, the first that matches. */
const usualRules: readonly InvoiceLineRule[] = [
  { match: ['total*', 'subtotal*', 'sub-total*', 'sub total*', 'amount due*', 'balance*'], as: 'left_out' },
  { match: ['*rounding*'], as: 'rounding' },
  { match: ['*included*', '*free hours*', '*free tier*'], as: 'included' },
  { match: ['*minimum*'], as: 'minimum' },
  { match: ['*base fee*', '*subscription*', '*platform fee*', '*plan fee*'], as: 'base_fee' },
  { match: ['*vat*', '*tax*'], as: 'tax' },
  { match: ['*credit*'], as: 'credit' },
  { match: ['*refund*', '*adjustment*'], as: 'adjustment' },
  { match: ['*object storage*', '*functions*'], as: 'not_metered' },
  { match: ['*compute*', '*cu-hour*', '*cu hour*'], as: 'compute' },
];

/**
 * Says what a line of an invoice is: by the rules of the configuration, by the names that the price book gives, and by
 * what such lines are usually called. Undefined where nothing of ours is like it.
 */
export function findMeaning(
  { description }: Pick<InvoiceLine, 'description'>,
  rules: readonly InvoiceLineRule[],
  items: readonly Pick<BillItem, 'kind' | 'name'>[],
): LineMeaning | undefined {
  const text = description.toLowerCase();
  const fits = ({ match }: InvoiceLineRule) => match.some(glob => matchesGlob(glob.toLowerCase(), text));
  const rule = rules.find(fits);
  if (rule !== undefined) return rule;
  const named = items.find(
    ({ kind, name }) => kind !== 'rounding' && name !== undefined && text.includes(name.toLowerCase()),
  );
  if (named?.name !== undefined) return { as: named.kind, name: named.name };
  return usualRules.find(fits);
}
