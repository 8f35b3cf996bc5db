import * as v from 'valibot';
import { compact } from '../resources/field.ts';
import { dateOf } from '../resources/utc-date.ts';
import type { Problem } from './problem.ts';
import {
  list,
  oneOrList,
  type Placed,
  placed,
  problemCheck,
  type Schema,
  single,
  unplaced,
} from './schema.ts';
import { date } from './spending-schema.ts';
import { childOf, nodeProblem, type WrittenNode } from './written-node.ts';

/** Something that holds from a day on. */
interface DatedEntry {
  readonly fromAt: number;
  readonly untilAt?: number;
}

interface WrittenDates {
  readonly from?: number;
  readonly to?: number;
}

/** A value with the days it was written with as instants. */
type Dated<Written extends WrittenDates> = Omit<Written, 'from' | 'to'> &
  (Written extends { readonly from: number } ? DatedEntry : Partial<DatedEntry>);

/** The days that something holds: from the one on, and no longer from the other on. */
export const anyDates = { from: v.exactOptional(date), to: v.exactOptional(date) };
export const dates = { from: date, to: v.exactOptional(date) };

/**
 * Something with the days that it holds, which must not end before it begins.
 *
 * @param find other problems of it.
 */
export function dated<Written extends WrittenDates>(
  written: Schema<Written>,
  find: (read: Placed<Written>) => readonly Problem[] = () => [],
): Schema<Placed<Dated<Written>>> {
  return v.pipe(
    placed(written),
    problemCheck((read: Placed<Written>) => [...find(read), ...findWrongEnd(read.node, read.value)]),
    v.transform(({ node, value: { from, to, ...value } }) => {
      const time = compact({ fromAt: from, untilAt: to });
      // The type has an instant for each day that is written, and none for others.
      return { node, value: { ...time, ...value } as unknown as Dated<Written> };
    }),
  );
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
    const begins = dateOf(value.fromAt);
    if (value.fromAt === fromAt) {
      const found = `a second ${noun} from ${begins}, after that of ${longest.node.where}`;
      problems.push(nodeProblem(node, found, 'keep one of the two'));
    } else if (untilAt !== undefined && untilAt > value.fromAt) {
      const ends = dateOf(untilAt);
      const found = `${withArticle(noun)} from ${begins}, while that of ${longest.node.where} holds from ${dateOf(fromAt)} to ${ends}`;
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
export function findWrongEnd(node: WrittenNode, { from, to }: WrittenDates): Problem[] {
  if (from === undefined || to === undefined || to > from) return [];
  const found = `${dateOf(to)}, which is not after from: ${dateOf(from)}`;
  return [nodeProblem(childOf(node, 'to') ?? node, found, 'write the first day it no longer holds')];
}

/**
 * An allowance for all time, or a list of some with dates: all of an account, or all of a project, as the two could not be added up
 * in a billing period.
 */
export function allowances<Allowance extends { readonly per: string }>(
  advice: string,
  one: Schema<Allowance>,
  entry: Schema<Placed<Allowance & DatedEntry>>,
): Schema<Allowance | (Allowance & DatedEntry)[]> {
  const some = v.pipe(
    datedList('allowance', `${advice}, or a list of such`, entry),
    problemCheck((entries: Placed<Allowance & DatedEntry>[]) => findMixedPools(entries)),
  );
  return oneOrList<Allowance | (Allowance & DatedEntry)[]>(one, unplaced(some));
}

/** Whose allowance it is. */
export const pool = single('write account or project', v.picklist(['account', 'project']));

function findMixedPools([first, ...others]: Placed<{ readonly per: string }>[]): Problem[] {
  const usual = first?.value.per;
  return others
    .filter(({ value }) => value.per !== usual)
    .map(({ node, value }) => {
      const found = `${value.per}, beside ${usual} of ${first?.node.where}`;
      return nodeProblem(childOf(node, 'per') ?? node, found, `write ${usual} in all of them`);
    });
}
