import * as v from 'valibot';
import type { DatedIncluded, Included, PricePlan } from '../resources/price-book.ts';
import { datedList, findWrongEnd } from './dated-entry.ts';
import type { Problem } from './problem.ts';
import { group, type Placed, placed, problemCheck, type Schema, single } from './schema.ts';
import { date, decimal } from './spending-schema.ts';
import { childOf, findWrongChoice, nodeProblem, type WrittenNode } from './written-node.ts';

const advice = 'write compute_hours or amount, and per';

const keys = {
  per: single('write account or project', v.picklist(['account', 'project'])),
  compute_hours: v.exactOptional(decimal),
  amount: v.exactOptional(decimal),
};

interface WrittenAllowance {
  readonly per: Included['per'];
  readonly compute_hours?: string;
  readonly amount?: string;
}

function findWrongThing(node: WrittenNode): Problem[] {
  return findWrongChoice(node, ['compute_hours', 'amount']);
}

function toIncluded({ per, compute_hours = '0', amount }: WrittenAllowance): Included {
  return amount === undefined ? { computeHours: compute_hours, per } : { amount, per };
}

const timeless: Schema<Included> = v.pipe(
  placed(group(advice, keys)),
  problemCheck(({ node }) => findWrongThing(node)),
  v.transform(({ value }) => toIncluded(value)),
);

const entry: Schema<Placed<DatedIncluded>> = v.pipe(
  placed(group(`${advice}, and from`, { from: date, to: v.exactOptional(date), ...keys })),
  problemCheck(({ node, value }) => [...findWrongThing(node), ...findWrongEnd(node, value)]),
  v.transform(({ node, value: { from, to, ...rest } }): Placed<DatedIncluded> => {
    return { node, value: { fromAt: from, ...(to !== undefined && { untilAt: to }), ...toIncluded(rest) } };
  }),
);

const several: Schema<DatedIncluded[]> = v.pipe(
  datedList('allowance', `${advice}, or a list of such`, entry),
  problemCheck(findMixedPools),
  v.transform(entries => entries.map(({ value }) => value)),
);

/** What is of each project and what is of all of them could not be added up in a billing period. */
function findMixedPools([first, ...others]: Placed<DatedIncluded>[]): Problem[] {
  const usual = first?.value.per;
  return others
    .filter(({ value }) => value.per !== usual)
    .map(({ node, value }) => {
      const found = `${value.per}, beside ${usual} of ${first?.node.where}`;
      return nodeProblem(childOf(node, 'per') ?? node, found, `write ${usual} in all of them`);
    });
}

/** What is included at all times, or a list of such with dates. */
export const datedAllowance = v.lazy(
  (input): Schema<NonNullable<PricePlan['included']>> =>
    (input as WrittenNode).kind === 'list' ? several : timeless,
);
