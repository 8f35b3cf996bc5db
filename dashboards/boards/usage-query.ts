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

/** One sample a group of an account. */
export function perGroup(expression: string): string {
  const by = labelList('by', groupUsageFamilies.periodComputeSeconds, 'account', 'grouping', 'group');
  return `max ${by} (${expression})`;
}

/** One sample a spending budget. */
export function perBudget(expression: string): string {
  return `max ${labelList('by', budgetUsageFamilies.usedRatio, 'budget')} (${expression})`;
}
