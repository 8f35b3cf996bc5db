import type { Problem } from './problem.ts';
import type { Placed } from './schema.ts';
import { childOf, nodeProblem } from './written-node.ts';

/** Finds allowances of each project beside those of all: the two could not be added up in a billing period. */
export function findMixedPools([first, ...others]: Placed<{ readonly per: string }>[]): Problem[] {
  const usual = first?.value.per;
  return others
    .filter(({ value }) => value.per !== usual)
    .map(({ node, value }) => {
      const found = `${value.per}, beside ${usual} of ${first?.node.where}`;
      return nodeProblem(childOf(node, 'per') ?? node, found, `write ${usual} in all of them`);
    });
}
