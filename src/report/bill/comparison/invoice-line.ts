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
  /** The code or the sign that its money is written with, such as `EUR` or `€`; absent where it has none. */
  readonly currency?: string;
  /** Id or name. */
  readonly project?: string;
}

/** What a line of an invoice is of ours. */
export type LineMeaning = Omit<InvoiceLineRule, 'match'>;

/** Meanings of descriptions, the first that fits. Whole words count: `private` is no `vat`. */
const usualMeanings: readonly { readonly words: RegExp; readonly as: LineMeaning['as'] }[] = [
  { words: /^((sub[- ]?)?total|amount due|balance)/, as: 'left_out' },
  { words: /\brounding/, as: 'rounding' },
  { words: /\b(included|free hours|free tier)\b/, as: 'included' },
  { words: /\bminimum\b/, as: 'minimum' },
  { words: /\b(base|platform|plan) fee|\bsubscription/, as: 'base_fee' },
  { words: /(?<![a-z])(vat|[a-z]*tax(es)?)(?![a-z])/, as: 'tax' },
  { words: /\bcredit/, as: 'credit' },
  { words: /\b(refund|adjustment)/, as: 'adjustment' },
  { words: /\b(object storage|functions)\b/, as: 'not_metered' },
  { words: /\b(compute|cu[- ]hour)/, as: 'compute' },
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
  const rule = rules.find(({ match }) => match.some(glob => matchesGlob(glob.toLowerCase(), text)));
  if (rule !== undefined) return rule;
  const usual = usualMeanings.find(({ words }) => words.test(text));
  const [named] = items
    .flatMap(({ kind, name }) =>
      kind !== 'rounding' && name !== undefined && isNamedIn(text, name) ? [{ as: kind, name }] : [],
    )
    .toSorted((a, b) => b.name.length - a.name.length);
  // An object storage is no line called storage, unless that is called so as well.
  if (named !== undefined && (usual?.as !== 'not_metered' || usual.words.test(named.name.toLowerCase())))
    return named;
  return usual && { as: usual.as };
}

/** Whether a name is in a text in words of its own, also as more than one. */
function isNamedIn(text: string, name: string): boolean {
  return new RegExp(`(?<![\\p{L}\\p{N}])${RegExp.escape(name.toLowerCase())}s?(?![\\p{L}\\p{N}])`, 'u').test(
    text,
  );
}
