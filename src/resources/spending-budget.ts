import type { DecimalText } from './price-book.ts';

/** A limit on the spending of some projects in each of a row of periods. */
export interface SpendingBudget {
  readonly name: string;
  readonly scope:
    | { readonly kind: 'account'; readonly account: string }
    | { readonly kind: 'group'; readonly grouping: string; readonly group: string }
    /** By globs on the name or id. */
    | { readonly kind: 'projects'; readonly projects: readonly string[] };
  readonly limit: /** In the display currency. */
    | { readonly kind: 'money'; readonly amount: DecimalText }
    | { readonly kind: 'compute'; readonly computeHours: DecimalText };
  /**
   * Days, weeks and months are of `usage.timezone`, weeks from Monday on; `billing` is the period of the price book.
   */
  readonly per: 'day' | 'week' | 'month' | 'billing';
}
