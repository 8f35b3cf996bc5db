import type { SpendingBudget } from '../resources/spending-budget.ts';
import { groupReference } from './grouping-reader.ts';
import { findNearestWord } from './nearest-word.ts';
import {
  adviseOn,
  group,
  list,
  type NodeKind,
  nodeProblem,
  type Placed,
  placed,
  showNode,
  single,
} from './node-kind.ts';
import type { Problem } from './problem.ts';
import { findRepeatedNames } from './repeated-name.ts';
import { decimalAboveZero, globs, spendingName } from './spending-kind.ts';
import { itemsOf, type WrittenNode } from './written-node.ts';

const periods = ['day', 'week', 'month', 'billing'] as const;
const periodAdvice = 'write day, week, month or billing';
const period = single(periodAdvice, text => {
  const value = periods.find(each => each === text);
  return value === undefined ? { expected: periodAdvice } : { value };
});

const scopes = ['account', 'group', 'projects'];
const limits = ['amount', 'compute_hours'];

/** What a budget can name. */
export interface BudgetSurroundings {
  /** As `team/platform`. */
  readonly groupNames: readonly string[];
  readonly hasPlans: boolean;
  /** Undefined where they are not known. */
  readonly accounts: readonly string[] | undefined;
}

function budgetKind({ groupNames, hasPlans, accounts }: BudgetSurroundings) {
  const optional = {
    account: accountReference(accounts),
    group: groupReference(groupNames),
    projects: globs('write a list of names or ids of projects, where * stands for anything'),
    amount: hasPlans ? decimalAboveZero : unpriced,
    compute_hours: decimalAboveZero,
  };
  return group(
    'write name, one of account, group and projects, amount or compute_hours, and per',
    { name: spendingName, per: period },
    optional,
  );
}

/** Refuses an amount of money where nothing has a price. */
const unpriced: NodeKind<string> = {
  expected: decimalAboveZero.expected,
  read: (node, problems) => {
    const found = `${showNode(node)} without any plan in pricing.plans`;
    problems.push(nodeProblem(node, found, 'write compute_hours, or what a compute hour costs'));
    return undefined;
  },
};

function accountReference(accounts: readonly string[] | undefined): NodeKind<string> {
  const advice = adviseOn(accounts ?? [], 'write the name of an account');
  return single(advice, text => {
    if (accounts === undefined || accounts.includes(text)) return { value: text };
    const nearest = findNearestWord(text.slice(0, 100), accounts);
    return { expected: nearest === undefined ? advice : `write ${nearest}` };
  });
}

/** The section `budgets`, after adding to `problems` what is wrong with it. */
export function readSpendingBudgets(
  node: WrittenNode | undefined,
  surroundings: BudgetSurroundings,
  problems: Problem[],
): readonly SpendingBudget[] {
  if (node === undefined) return [];
  const kind = list('write a list, each budget after a "- "', placed(budgetKind(surroundings)), 'any number');
  const read = kind.read(node, problems) ?? [];
  problems.push(...findRepeatedNames(node, 'budget'));
  for (const item of itemsOf(node)) {
    problems.push(...findWrongChoice(item, scopes), ...findWrongChoice(item, limits));
  }
  return read.flatMap(toBudget);
}

type BudgetKind = ReturnType<typeof budgetKind>;
type ReadBudget = BudgetKind extends NodeKind<infer Value> ? Value : never;

function toBudget({ value }: Placed<ReadBudget>): SpendingBudget[] {
  const { name, per, account, group: inGroup, projects, amount, compute_hours } = value;
  const [grouping = '', ...rest] = inGroup?.split('/') ?? [];
  const scope =
    (account !== undefined && { kind: 'account' as const, account }) ||
    (inGroup !== undefined && { kind: 'group' as const, grouping, group: rest.join('/') }) ||
    (projects !== undefined && { kind: 'projects' as const, projects });
  const limit =
    (amount !== undefined && { kind: 'money' as const, amount }) ||
    (compute_hours !== undefined && { kind: 'compute' as const, computeHours: compute_hours });
  return scope && limit ? [{ name, scope, limit, per }] : [];
}

/** A problem unless exactly one of these is there. */
function findWrongChoice(node: WrittenNode, names: readonly string[]): Problem[] {
  if (node.kind !== 'group') return [];
  const choice = `one of ${names.slice(0, -1).join(', ')} and ${names.at(-1)}`;
  const [first, second] = node.entries.filter(({ name }) => names.includes(name));
  if (first === undefined) return [nodeProblem(node, `none of ${names.join(', ')}`, `write ${choice}`)];
  if (second === undefined) return [];
  return [nodeProblem(second.node, `it beside ${first.name}`, `keep ${choice}`)];
}
