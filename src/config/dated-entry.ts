import * as v from 'valibot';
import type { Problem } from './problem.ts';
import { list, type Placed, problemCheck, type Schema } from './schema.ts';
import { renderDate } from './spending-schema.ts';
import { childOf, nodeProblem, type WrittenNode } from './written-node.ts';

/** Something that holds from a day on. */
interface DatedEntry {
  readonly fromAt: number;
  readonly untilAt?: number;
}

/**
 * A list in order of time, none of it overlapping another: what has no end holds until the next begins.
 *
 * @param noun what each is, such as `price`.
 */
export function datedList<Entry extends DatedEntry>(
  noun: string,
  expected: string,
  entry: Schema<Placed<Entry>>,
): Schema<Placed<Entry>[]> {
  return v.pipe(
    list(expected, entry),
    v.transform(entries => entries.toSorted((one, other) => one.value.fromAt - other.value.fromAt)),
    problemCheck((entries: Placed<Entry>[]) => findOverlaps(noun, entries)),
    v.transform(entries =>
      entries.map(({ value, node }, index) => {
        const untilAt = value.untilAt ?? entries[index + 1]?.value.fromAt;
        return { node, value: { ...value, ...(untilAt !== undefined && { untilAt }) } };
      }),
    ),
    v.description(expected),
  );
}

/** A problem for each entry that begins before one that began earlier has ended. */
function findOverlaps(noun: string, entries: readonly Placed<DatedEntry>[]): Problem[] {
  const problems: Problem[] = [];
  let [longest] = entries;
  for (const { value, node } of entries.slice(1)) {
    if (longest === undefined) break;
    const { fromAt, untilAt } = longest.value;
    const begins = renderDate(value.fromAt);
    if (value.fromAt === fromAt) {
      const found = `a second ${noun} from ${begins}, after that of ${longest.node.where}`;
      problems.push(nodeProblem(node, found, 'keep one of the two'));
    } else if (untilAt !== undefined && untilAt > value.fromAt) {
      const ends = renderDate(untilAt);
      const found = `${withArticle(noun)} from ${begins}, while that of ${longest.node.where} holds from ${renderDate(fromAt)} to ${ends}`;
      problems.push(nodeProblem(node, found, `write from: ${ends} here or to: ${begins} there`));
    }
    if (untilAt === undefined || (value.untilAt ?? Number.POSITIVE_INFINITY) >= untilAt) {
      longest = { value, node };
    }
  }
  return problems;
}

function withArticle(noun: string): string {
  return /^[aeiou]/.test(noun) ? `an ${noun}` : `a ${noun}`;
}

/** A problem where something ends before it begins, or at once. */
export function findWrongEnd(
  node: WrittenNode,
  { from, to }: { readonly from?: number; readonly to?: number },
): Problem[] {
  if (from === undefined || to === undefined || to > from) return [];
  const found = `${renderDate(to)}, which is not after from: ${renderDate(from)}`;
  return [nodeProblem(childOf(node, 'to') ?? node, found, 'write the first day it no longer holds')];
}

/** Dates as they are written, as instants. */
export function datedFrom({ from, to }: { readonly from?: number; readonly to?: number }) {
  return { ...(from !== undefined && { fromAt: from }), ...(to !== undefined && { untilAt: to }) };
}
