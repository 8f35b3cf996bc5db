import type { DecimalText } from './price-book.ts';

/** Parts of the limit at which alerts are wanted: of what is spent, and of what is projected. */
export interface BudgetThresholds {
  readonly spent: readonly number[];
  readonly projected: readonly number[];
}

/** Where a budget says nothing else. */
export const usualThresholds: BudgetThresholds = { spent: [0.5, 0.8, 1], projected: [1] };

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
  /** The usual ones where absent. */
  readonly thresholds?: Partial<BudgetThresholds>;
}

/** What counts against a budget, such as `account main`, `group team/web` or `projects shop-*, web`. */
export function nameBudgetScope({ scope }: Pick<SpendingBudget, 'scope'>): string {
  switch (scope.kind) {
    case 'account':
      return `account ${scope.account}`;
    case 'group':
      return `group ${scope.grouping}/${scope.group}`;
    case 'projects':
      return `projects ${scope.projects.join(', ')}`;
  }
}
