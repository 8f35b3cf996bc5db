import * as v from 'valibot';
import type { DatedIncluded, Included, PricePlan } from '../resources/price-book.ts';
import { datedList, findWrongEnd } from './dated-entry.ts';
import { findMixedPools } from './mixed-pool.ts';
import type { Problem } from './problem.ts';
import { group, type Placed, placed, problemCheck, type Schema, single } from './schema.ts';
import { date, decimal } from './spending-schema.ts';
import { findWrongChoice, type WrittenNode } from './written-node.ts';

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
  problemCheck((entries: Placed<DatedIncluded>[]) => findMixedPools(entries)),
  v.transform(entries => entries.map(({ value }) => value)),
);

/** What is included at all times, or a list of such with dates. */
export const datedAllowance = v.lazy(
  (input): Schema<NonNullable<PricePlan['included']>> =>
    (input as WrittenNode).kind === 'list' ? several : timeless,
);
