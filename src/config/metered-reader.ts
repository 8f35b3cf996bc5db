import * as v from 'valibot';
import { meterMetrics } from '../resources/meter.ts';
import {
  computeLedgers,
  type IncludedQuantity,
  type MeteredThing,
  type MeterRules,
  type ThingMetric,
  thingMetrics,
  thingNames,
} from '../resources/price-book.ts';
import { datedFrom, datedList, findWrongEnd } from './dated-entry.ts';
import type { Problem } from './problem.ts';
import {
  group,
  isListOrNothing,
  list,
  type Placed,
  placed,
  problemCheck,
  type Schema,
  single,
} from './schema.ts';
import { date, decimal, spendingName, wholeNumber } from './spending-schema.ts';
import { unitPrices } from './unit-price.ts';
import { nameLike } from './value-schema.ts';
import { childOf, nodeProblem, type WrittenNode } from './written-node.ts';

const isThing = (text: string): text is ThingMetric => thingMetrics.some(metric => metric === text);

const metricAdvice = `write one of ${thingMetrics.join(', ')}`;
const metric: Schema<ThingMetric> = single(
  metricAdvice,
  v.pipe(
    nameLike(
      text => isThing(text) || isCompute(text),
      () => thingMetrics,
      metricAdvice,
    ),
    v.check(isThing, 'write what is metered besides compute: prices.per_compute_hour is the price of that'),
    v.transform(text => text as ThingMetric),
  ),
);

function isCompute(text: string): boolean {
  return text === meterMetrics[0];
}

const pricesOfThing = unitPrices({ key: 'price', quantity: 'the quantity' });
const price: Schema<MeteredThing['prices']> = v.pipe(
  v.lazy((input): Schema<MeteredThing['prices']> => {
    if ((input as WrittenNode).kind === 'list')
      return v.pipe(
        pricesOfThing,
        v.transform(read => read.map(({ value }) => value)),
      );
    return v.pipe(
      decimal,
      v.transform(text => [{ price: text, discountPercent: '0' }]),
    );
  }),
  v.description('write the price of one, or a list of prices, each after a "- "'),
);

const per = single('write account or project', v.picklist(['account', 'project']));
const allowanceAdvice = 'write quantity and per';
const quantityKeys = { quantity: decimal, per };

type DatedQuantity = IncludedQuantity & { readonly fromAt: number; readonly untilAt?: number };

const entry: Schema<Placed<DatedQuantity>> = v.pipe(
  placed(group(`${allowanceAdvice}, and from`, { from: date, to: v.exactOptional(date), ...quantityKeys })),
  problemCheck(({ node, value }) => findWrongEnd(node, value)),
  v.transform(({ node, value: { from, to, ...rest } }): Placed<DatedQuantity> => {
    return { node, value: { fromAt: from, ...(to !== undefined && { untilAt: to }), ...rest } };
  }),
);

const included = v.lazy((input): Schema<NonNullable<MeteredThing['included']>> => {
  if ((input as WrittenNode).kind !== 'list') return group(allowanceAdvice, quantityKeys);
  return v.pipe(
    datedList('allowance', `${allowanceAdvice}, or a list of such`, entry),
    problemCheck((entries: Placed<DatedQuantity>[]) => findMixedPools(entries)),
    v.transform(entries => entries.map(({ value }) => value)),
  );
});

const thing: Schema<MeteredThing> = v.pipe(
  placed(
    group('write metric and price', {
      metric,
      price,
      name: v.exactOptional(spendingName),
      included: v.exactOptional(included),
      included_at_once: v.exactOptional(
        wholeNumber('write how many of each project are free at any time, such as 9', 1, 100_000),
      ),
      from: v.exactOptional(date),
      to: v.exactOptional(date),
    }),
  ),
  problemCheck(({ node, value }) => [...findWrongEnd(node, value), ...findStrayBranches(node, value.metric)]),
  v.transform(
    ({ value: { included_at_once: atOnce, price: prices, ...value } }): MeteredThing => ({
      name: value.name ?? thingNames[value.metric],
      metric: value.metric,
      prices,
      ...datedFrom(value),
      ...(value.included && { included: value.included }),
      ...(atOnce !== undefined && { includedAtOnce: atOnce }),
    }),
  ),
);

/** Bytes are not there one by one. */
function findStrayBranches(node: WrittenNode, counted: ThingMetric) {
  const atOnce = childOf(node, 'included_at_once');
  if (atOnce === undefined || counted === 'extra_branches_month') return [];
  return [nodeProblem(atOnce, `it beside ${counted}`, 'write included, or leave it out')];
}

/** The metered things of a plan. */
export const meteredThings: Schema<MeteredThing[]> = list(
  'write a list of things, each after a "- "',
  thing,
  isListOrNothing,
);

/** How the meter of the service counts. */
export const meterRules: Schema<MeterRules> = v.pipe(
  group('write unit or gigabyte, such as {unit: hour}', {
    unit: v.exactOptional(single('write month or hour', v.picklist(['month', 'hour']))),
    gigabyte: v.exactOptional(single('write decimal or binary', v.picklist(['decimal', 'binary']))),
  }),
  v.transform(({ unit = 'month', gigabyte = 'decimal' }): MeterRules => ({ unit, gigabyte })),
);

export const computeLedger = single(`write one of ${computeLedgers.join(', ')}`, v.picklist(computeLedgers));

/** Finds allowances of a project beside allowances of an account: the two could not be added up in a billing period. */
export function findMixedPools([first, ...others]: Placed<{ readonly per: string }>[]): Problem[] {
  const usual = first?.value.per;
  return others
    .filter(({ value }) => value.per !== usual)
    .map(({ node, value }) => {
      const found = `${value.per}, beside ${usual} of ${first?.node.where}`;
      return nodeProblem(childOf(node, 'per') ?? node, found, `write ${usual} in all of them`);
    });
}
