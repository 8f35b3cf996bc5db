import { nodeProblem } from './node-kind.ts';
import { type Problem, quoteValue } from './problem.ts';
import { childOf, itemsOf, type WrittenNode } from './written-node.ts';

/** One problem for each item of a list whose name an earlier one has. */
export function findRepeatedNames(node: WrittenNode | undefined, noun: string): Problem[] {
  const seen = new Map<string, WrittenNode>();
  return itemsOf(node).flatMap(item => {
    const written = childOf(item, 'name');
    if (written?.kind !== 'value') return [];
    const earlier = seen.get(written.text);
    if (earlier === undefined) seen.set(written.text, written);
    if (earlier === undefined) return [];
    const found = `${quoteValue(written.text)} a second time, after ${earlier.where}`;
    return [nodeProblem(written, found, `write a different name for each ${noun}`)];
  });
}
