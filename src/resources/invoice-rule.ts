import type { DecimalText } from './price-book.ts';

/**
 * What a line of a vendor's invoice can be; one that is left out is a sum of others, and one that is not metered is of
 * something that the service bills and its API does not tell of.
 */
export const invoiceKinds = [
  'compute',
  'included',
  'base_fee',
  'minimum',
  'metered',
  'counted',
  'line',
  'allowance',
  'credit',
  'adjustment',
  'tax',
  'rounding',
  'not_metered',
  'left_out',
] as const;
export type InvoiceKind = (typeof invoiceKinds)[number];

/** A rule by which lines of an invoice are ours; the first that matches counts. */
export interface InvoiceLineRule {
  /** Globs on the description, in capitals or not. */
  readonly match: readonly string[];
  readonly as: InvoiceKind;
  /** Of this plan alone. */
  readonly plan?: string;
  /** What the price book calls it. */
  readonly name?: string;
}

export const invoiceColumns = ['description', 'quantity', 'unit_price', 'amount', 'project'] as const;
export type InvoiceColumn = (typeof invoiceColumns)[number];

/** How the invoices of a vendor are read. */
export interface InvoiceRules {
  /** Names of columns in the file; those not here have usual names. */
  readonly columns: Readonly<Partial<Record<InvoiceColumn, string>>>;
  readonly decimal: 'point' | 'comma';
  /** ISO 4217; absent where it is that of the plans. */
  readonly currency?: string;
  readonly tolerance?: Tolerance;
  readonly lines: readonly InvoiceLineRule[];
}

/** The largest difference that is none: money, or a share of the invoice in percent. */
export type Tolerance = { readonly amount: DecimalText } | { readonly percent: DecimalText };

/** Reads a tolerance such as `0.01` or `0.5%`; undefined for any other text. */
export function readTolerance(text: string): Tolerance | undefined {
  const [, number, percent] = /^(\d{1,12}(?:\.\d{1,6})?)(%)?$/.exec(text) ?? [];
  if (number === undefined) return undefined;
  return percent === undefined ? { amount: number } : { percent: number };
}
