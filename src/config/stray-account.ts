import { matchesGlob } from '../resources/glob.ts';
import { adviseOn, nodeProblem, showNode } from './node-kind.ts';
import type { Problem } from './problem.ts';
import { childOf, itemsOf, type WrittenNode } from './written-node.ts';

/** Warns of accounts in the matches of plans and groups that are not configured; the history may know them still. */
export function warnOfStrayAccounts(
  pricing: WrittenNode | undefined,
  groups: WrittenNode | undefined,
  accounts: readonly string[] | undefined,
): Problem[] {
  if (accounts === undefined) return [];
  const below = (node: WrittenNode | undefined) =>
    node?.kind === 'group' ? node.entries.map(entry => entry.node) : [];
  const plans = itemsOf(pricing && childOf(pricing, 'plans'));
  const matches = [...plans.flatMap(plan => childOf(plan, 'match') ?? []), ...below(groups).flatMap(below)];
  return matches
    .flatMap(match => itemsOf(childOf(match, 'accounts')))
    .filter(item => item.kind === 'value' && !accounts.some(name => matchesGlob(item.text, name)))
    .map(item => {
      const found = `${showNode(item)}, an account that is not configured`;
      return nodeProblem(item, found, adviseOn(accounts, 'configure it in accounts'));
    });
}
