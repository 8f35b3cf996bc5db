import { accountUsageFamilies } from '../../src/resources/usage/account.ts';
import { budgetUsageFamilies } from '../../src/resources/usage/budget.ts';
import { groupUsageFamilies } from '../../src/resources/usage/group.ts';
import { labelList, type Metric } from '../promql.ts';
import { scoped } from './scope.ts';
import { sumOverShards } from './shard-sum.ts';

const { periodCost } = accountUsageFamilies;

/** Seconds of compute as hours, the unit people are billed in. */
export function inHours(expression: string): string {
  return `(${expression}) / 3600`;
}

/** One sample an account, over all exporters that are selected. */
export function perAccount(expression: string): string {
  return `max ${labelList('by', periodCost, 'account')} (${expression})`;
}

/** One sample an account, of what adds up over its projects. */
export function sumPerAccount(expression: string): string {
  return sumOverShards(expression, periodCost, 'account');
}

/** One sample an account and currency: amounts of different ones never add up. */
export function perAccountCurrency(expression: string): string {
  return sumOverShards(expression, periodCost, 'account', 'currency');
}

/** The sum over all accounts, of each currency on its own. */
export function perCurrency(expression: string): string {
  return `sum ${labelList('by', periodCost, 'currency')} (${expression})`;
}

/** One sample a group over all accounts, and a currency: amounts of different ones never add up. */
export function perGroup(expression: string, ...more: readonly 'currency'[]): string {
  return `sum ${labelList('by', groupUsageFamilies.periodCost, 'group', ...more)} (${expression})`;
}

/** One sample a spending budget, of what is the same for all of its projects. */
export function perBudget(expression: string): string {
  return `max ${labelList('by', budgetUsageFamilies.usedRatio, 'budget')} (${expression})`;
}

/** One sample a spending budget, of what adds up over its projects. */
export function sumPerBudget(expression: string): string {
  return sumOverShards(expression, budgetUsageFamilies.usedRatio, 'budget');
}

/** The sum of each line of the bill and currency, and of each of some other labels. */
export function perLine<Label extends string>(
  metric: Metric<Label | 'line' | 'currency'>,
  ...more: readonly NoInfer<Label>[]
): string {
  return `sum ${labelList('by', metric, ...more, 'line', 'currency')} (${scoped(metric)})`;
}
