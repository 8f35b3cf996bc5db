import type { IgnoredFinding } from '../resources/finding-rule.ts';
import { matchesGlob } from '../resources/glob.ts';
import type { Grouping } from '../resources/grouping.ts';
import type { InvoiceRules } from '../resources/invoice-rule.ts';
import type { PriceBook } from '../resources/price-book.ts';
import type { SpendingBudget } from '../resources/spending-budget.ts';
import { readSpendingBudgets } from './budget-reader.ts';
import { readIgnoredFindings } from './finding-reader.ts';
import { listGroupNames, readGroupings } from './grouping-reader.ts';
import { readInvoiceRules } from './invoice-reader.ts';
import { readPriceBook } from './price-book-reader.ts';
import type { Problem } from './problem.ts';
import { ignoreKey } from './setting.ts';
import { withShippedBook } from './shipped-book.ts';
import { adviseOn } from './spending-schema.ts';
import { childOf, entriesOf, itemsOf, nodeProblem, showNode, type WrittenNode } from './written-node.ts';

/** Prices of usage, groups that share the cost, budgets, and the findings nobody wants to see. */
export interface Spending {
  readonly pricing?: PriceBook;
  readonly groupings: readonly Grouping[];
  readonly budgets: readonly SpendingBudget[];
  readonly ignoredFindings: readonly IgnoredFinding[];
  /** How invoices are read that costs are compared with. */
  readonly invoices: InvoiceRules;
}

interface SpendingReading {
  /** Undefined where they are not known. */
  readonly accounts: readonly string[] | undefined;
  readonly now: number;
  readonly problems: Problem[];
  readonly warnings: Problem[];
}

/** The sections `pricing`, `groups`, `budgets` and `reconcile` of a file, and its `findings.ignore`, after adding to `problems` what is wrong with them. */
export function readSpending(written: WrittenNode, { accounts, ...reading }: SpendingReading): Spending {
  const root = withShippedBook(written);
  const { problems, warnings } = reading;
  const groupsNode = childOf(root, 'groups');
  const groupNames = listGroupNames(groupsNode);
  const pricing = readPriceBook(childOf(root, 'pricing'), { groupNames, accounts, ...reading });
  const groupings = readGroupings(groupsNode, problems);
  if (accounts !== undefined) warnings.push(...warnOfStrayAccounts(root, accounts));
  const hasPlans = itemsOf(childOf(root, 'pricing.plans')).length > 0;
  const budgets = readSpendingBudgets(childOf(root, 'budgets'), { groupNames, hasPlans, accounts }, problems);
  const ignoredFindings = readIgnoredFindings(childOf(root, ignoreKey), reading);
  const invoices = readInvoiceRules(childOf(root, 'reconcile'), problems);
  return { ...(pricing && { pricing }), groupings, budgets, ignoredFindings, invoices };
}

/** Warns of accounts in the matches of plans and groups that are not configured; the history may know them still. */
function warnOfStrayAccounts(root: WrittenNode, accounts: readonly string[]): Problem[] {
  const plans = itemsOf(childOf(root, 'pricing.plans'));
  const groups = entriesOf(childOf(root, 'groups')).flatMap(grouping => entriesOf(grouping.node));
  const matches = [...plans.flatMap(plan => childOf(plan, 'match') ?? []), ...groups.map(({ node }) => node)];
  return matches
    .flatMap(match => itemsOf(childOf(match, 'accounts')))
    .filter(item => item.kind === 'value' && !accounts.some(name => matchesGlob(item.text, name)))
    .map(item => {
      const found = `${showNode(item)}, an account that is not configured`;
      return nodeProblem(item, found, adviseOn(accounts, 'configure it in accounts'));
    });
}

/** The value, of which nothing can be changed from now on. */
export function freeze<Value extends object>(value: Value): Value {
  for (const part of Object.values(value)) if (typeof part === 'object' && part !== null) freeze(part);
  return Object.freeze(value);
}
