import type { Grouping } from '../resources/grouping.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { SpendingBudget } from '../resources/spending-budget.ts';
import { listGroupNames, readGroupings } from './grouping-reader.ts';
import type { NestedSection } from './known-key.ts';
import { readPriceBook } from './price-book-reader.ts';
import type { Problem } from './problem.ts';
import { readSpendingBudgets } from './spending-budget-reader.ts';
import { warnOfStrayAccounts } from './stray-account.ts';
import { childOf, itemsOf, type WrittenNode } from './written-node.ts';

/** What usage costs, how the cost is shared out, and what may be spent. */
export interface Spending {
  readonly pricing?: PriceBook;
  readonly groupings: readonly Grouping[];
  readonly budgets: readonly SpendingBudget[];
}

interface SpendingReading {
  /** Undefined where they are not known. */
  readonly accounts: readonly string[] | undefined;
  readonly now: number;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** The sections `pricing`, `groups` and `budgets`, after adding to `problems` what is wrong with them. */
export function readSpending(
  nested: ReadonlyMap<NestedSection, WrittenNode>,
  { accounts, ...reading }: SpendingReading,
): Spending {
  const { problems } = reading;
  const groupNames = listGroupNames(nested.get('groups'));
  const pricingNode = nested.get('pricing');
  const pricing = readPriceBook(pricingNode, { groupNames, ...reading });
  const groupings = readGroupings(nested.get('groups'), problems);
  reading.warnings.push(...warnOfStrayAccounts(pricingNode, nested.get('groups'), accounts));
  const hasPlans = pricingNode !== undefined && itemsOf(childOf(pricingNode, 'plans')).length > 0;
  const surroundings = { groupNames, hasPlans, accounts };
  const budgets = readSpendingBudgets(nested.get('budgets'), surroundings, problems);
  return freeze({ ...(pricing && { pricing }), groupings, budgets });
}

function freeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part);
  return Object.freeze(value);
}
