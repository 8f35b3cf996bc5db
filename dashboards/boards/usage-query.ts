import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { groupUsageFamilies } from '../../src/resources/usage/group.ts';
import { labelList } from '../promql.ts';

const { periodCost } = accountUsageFamilies;

/** Seconds of compute as hours, the unit people are billed in. */
export function inHours(expression: string): string {
  return `(${expression}) / 3600`;
}

/** One sample an account, over all exporters that are selected. */
export function perAccount(expression: string): string {
  return `max ${labelList('by', periodCost, 'account')} (${expression})`;
}

/** One sample an account and currency: amounts of different ones never add up. */
export function perAccountCurrency(expression: string): string {
  return `max ${labelList('by', periodCost, 'account', 'currency')} (${expression})`;
}

/** The sum over all accounts, of each currency on its own. */
export function perCurrency(expression: string): string {
  return `sum ${labelList('by', periodCost, 'currency')} (${expression})`;
}

/** One sample a group over all accounts, and a currency: amounts of different ones never add up. */
export function perGroup(expression: string, ...more: readonly 'currency'[]): string {
  return `sum ${labelList('by', groupUsageFamilies.periodCost, 'group', ...more)} (${expression})`;
}

/** One sample a spending budget. */
export function perBudget(expression: string): string {
  return `max ${labelList('by', budgetUsageFamilies.usedRatio, 'budget')} (${expression})`;
}
