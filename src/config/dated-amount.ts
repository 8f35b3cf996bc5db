import * as v from 'valibot';
import type { DatedAmount, DatedAmounts } from '../resources/price-book.ts';
import { datedList, findWrongEnd } from './dated-entry.ts';
import { group, type Placed, placed, problemCheck, type Schema } from './schema.ts';
import { date, decimal } from './spending-schema.ts';
import type { WrittenNode } from './written-node.ts';

const entry: Schema<Placed<DatedAmount>> = v.pipe(
  placed(group('write from and amount', { from: date, to: v.exactOptional(date), amount: decimal })),
  problemCheck(({ node, value }) => findWrongEnd(node, value)),
  v.transform(({ node, value: { from, to, amount } }): Placed<DatedAmount> => {
    return { node, value: { fromAt: from, ...(to !== undefined && { untilAt: to }), amount } };
  }),
);

const amounts: Schema<DatedAmounts> = v.pipe(
  datedList('amount', 'write an amount such as 19, or a list of some, each after a "- "', entry),
  v.transform(entries => entries.map(({ value }) => value)),
);

/** An amount for all time, or some with dates. */
export const datedAmounts: Schema<DatedAmounts> = v.lazy(
  (input): Schema<DatedAmounts> => ((input as WrittenNode).kind === 'list' ? amounts : decimal),
);
