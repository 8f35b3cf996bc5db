import * as v from 'valibot';
import { compact } from '../resources/field.ts';
import type { SpendingBudget } from '../resources/spending-budget.ts';
import { groupReference } from './grouping-reader.ts';
import { readNode } from './node-reader.ts';
import type { Problem } from './problem.ts';
import { anything, group, list, type Schema, single } from './schema.ts';
import { decimalAboveZero, globs, percentages, reference, spendingName } from './spending-schema.ts';
import {
  findRepeatedNames,
  findWrongChoice,
  itemsOf,
  namesOf,
  showNode,
  type WrittenNode,
} from './written-node.ts';

/** The rest of the configuration, as far as a budget can name it. */
interface BudgetSurroundings {
  /** As `team/platform`. */
  readonly groupNames: readonly string[];
  readonly hasPlans: boolean;
  /** Undefined where they are not known. */
  readonly accounts: readonly string[] | undefined;
}

const scopes = ['account', 'group', 'projects'];
const limits = ['amount', 'compute_hours'];

function budgetSchema({ groupNames, hasPlans, accounts }: BudgetSurroundings) {
  return group('write name, one of account, group and projects, amount or compute_hours, and per', {
    name: spendingName,
    per: single('write day, week, month or billing', v.picklist(['day', 'week', 'month', 'billing'])),
    account: v.exactOptional(reference(accounts, 'write the name of an account')),
    group: v.exactOptional(groupReference(groupNames)),
    projects: v.exactOptional(globs('write a list of names or ids of projects, where * stands for anything')),
    amount: v.exactOptional(hasPlans ? decimalAboveZero : unpriced),
    compute_hours: v.exactOptional(decimalAboveZero),
    alert_at: v.exactOptional(percentages),
    projected_at: v.exactOptional(percentages),
  });
}

/** Refuses an amount of money where nothing has a price. */
const unpriced: Schema<string> = v.pipe(
  anything,
  v.rawTransform<WrittenNode, string>(({ dataset: { value: node }, addIssue, NEVER }) => {
    const received = `${showNode(node)} without any plan in pricing.plans`;
    addIssue({ received, message: 'write compute_hours, or what a compute hour costs' });
    return NEVER;
  }),
);

/** The section `budgets`, after adding to `problems` what is wrong with it. */
export function readSpendingBudgets(
  node: WrittenNode | undefined,
  surroundings: BudgetSurroundings,
  problems: Problem[],
): readonly SpendingBudget[] {
  if (node === undefined) return [];
  const budgets = list('write a list, each budget after a "- "', budgetSchema(surroundings), 'any number');
  const read = readNode(budgets, node, problems) ?? [];
  problems.push(...findRepeatedNames(namesOf(node), 'budget'));
  for (const item of itemsOf(node)) {
    problems.push(...findWrongChoice(item, scopes), ...findWrongChoice(item, limits));
  }
  return read.flatMap(toBudget);
}

type WrittenBudget = v.InferOutput<ReturnType<typeof budgetSchema>>;

function toBudget({ name, per, ...written }: WrittenBudget): SpendingBudget[] {
  const { account, group: inGroup, projects, amount, compute_hours, alert_at, projected_at } = written;
  const [grouping = '', ...rest] = inGroup?.split('/') ?? [];
  const scope =
    (account !== undefined && { kind: 'account' as const, account }) ||
    (inGroup !== undefined && { kind: 'group' as const, grouping, group: rest.join('/') }) ||
    (projects !== undefined && { kind: 'projects' as const, projects });
  const limit =
    (amount !== undefined && { kind: 'money' as const, amount }) ||
    (compute_hours !== undefined && { kind: 'compute' as const, computeHours: compute_hours });
  const thresholds = compact({ spent: alert_at, projected: projected_at });
  const isUsual = Object.keys(thresholds).length === 0;
  return scope && limit ? [{ name, scope, limit, per, ...(!isUsual && { thresholds }) }] : [];
}
