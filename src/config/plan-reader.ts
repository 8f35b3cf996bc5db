import * as v from 'valibot';
import type {
  CountedThing,
  DatedAmount,
  DatedAmounts,
  DatedIncluded,
  DatedPrice,
  Included,
  PricePlan,
} from '../resources/price-book.ts';
import { datedFrom, datedList, findWrongEnd } from './dated-entry.ts';
import { planMatch } from './grouping-reader.ts';
import { findMixedPools, meteredThings } from './metered-reader.ts';
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
import { currency, date, decimal, spendingName } from './spending-schema.ts';
import { unitPrices } from './unit-price.ts';
import { duration } from './value-schema.ts';
import { findWrongChoice, type WrittenNode } from './written-node.ts';

const allowanceAdvice = 'write compute_hours or amount, and per';

const allowanceKeys = {
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

const allowance: Schema<Included> = v.pipe(
  placed(group(allowanceAdvice, allowanceKeys)),
  problemCheck(({ node }) => findWrongThing(node)),
  v.transform(({ value }) => toIncluded(value)),
);

const datedAllowanceEntry: Schema<Placed<DatedIncluded>> = v.pipe(
  placed(group(`${allowanceAdvice}, and from`, { from: date, to: v.exactOptional(date), ...allowanceKeys })),
  problemCheck(({ node, value }) => [...findWrongThing(node), ...findWrongEnd(node, value)]),
  v.transform(({ node, value: { from, to, ...rest } }): Placed<DatedIncluded> => {
    return { node, value: { fromAt: from, ...(to !== undefined && { untilAt: to }), ...toIncluded(rest) } };
  }),
);

const allowanceList: Schema<DatedIncluded[]> = v.pipe(
  datedList('allowance', `${allowanceAdvice}, or a list of such`, datedAllowanceEntry),
  problemCheck((entries: Placed<DatedIncluded>[]) => findMixedPools(entries)),
  v.transform(entries => entries.map(({ value }) => value)),
);

/** An allowance for all time, or a list of allowances with dates. */
const datedAllowance = v.lazy(
  (input): Schema<NonNullable<PricePlan['included']>> =>
    (input as WrittenNode).kind === 'list' ? allowanceList : allowance,
);

/** The prices of a compute hour of a plan, in order of time. */
const datedPrices: Schema<Placed<DatedPrice>[]> = v.pipe(
  unitPrices({ key: 'per_compute_hour', quantity: 'the compute hours' }),
  v.transform(read =>
    read.map(({ node, value: { fromAt, untilAt, price, discountPercent, tiers } }): Placed<DatedPrice> => {
      const higher = tiers?.map(tier => ({ beyondHours: tier.beyond, perComputeHour: tier.price }));
      return {
        node,
        value: {
          fromAt,
          ...(untilAt !== undefined && { untilAt }),
          perComputeHour: price,
          discountPercent,
          ...(higher && { tiers: higher }),
        },
      };
    }),
  ),
);

const amountEntry: Schema<Placed<DatedAmount>> = v.pipe(
  placed(group('write from and amount', { from: date, to: v.exactOptional(date), amount: decimal })),
  problemCheck(({ node, value }) => findWrongEnd(node, value)),
  v.transform(({ node, value: { from, to, amount } }): Placed<DatedAmount> => {
    return { node, value: { fromAt: from, ...(to !== undefined && { untilAt: to }), amount } };
  }),
);

const amountList: Schema<DatedAmounts> = v.pipe(
  datedList('amount', 'write an amount such as 19, or a list of some, each after a "- "', amountEntry),
  v.transform(entries => entries.map(({ value }) => value)),
);

/** An amount for all time, or some with dates. */
const datedAmounts: Schema<DatedAmounts> = v.lazy(
  (input): Schema<DatedAmounts> => ((input as WrittenNode).kind === 'list' ? amountList : decimal),
);

const dates = { from: v.exactOptional(date), to: v.exactOptional(date) };

const countedThing: Schema<CountedThing> = v.pipe(
  placed(
    group('write name, of and price', {
      name: spendingName,
      of: single('write projects, endpoints or branches', v.picklist(['projects', 'endpoints', 'branches'])),
      price: decimal,
      included: v.exactOptional(decimal),
      count: v.exactOptional(single('write time or peak', v.picklist(['time', 'peak']))),
      ...dates,
    }),
  ),
  problemCheck(({ node, value }) => findWrongEnd(node, value)),
  v.transform(({ value: { name, of, price, included = '0', count = 'time', ...time } }): CountedThing => {
    return { name, of, included, price, count, ...datedFrom(time) };
  }),
);

/** A plan as it is written. */
export function planSchema(groupNames: readonly string[]) {
  const counted = list('write a list of things, each after a "- "', countedThing, isListOrNothing);
  return v.pipe(
    placed(
      group('write name and prices', {
        name: spendingName,
        prices: datedPrices,
        match: v.exactOptional(planMatch(groupNames)),
        currency: v.exactOptional(currency),
        ...dates,
        partial_period: v.exactOptional(single('write prorated or whole', v.picklist(['prorated', 'whole']))),
        included: v.exactOptional(datedAllowance),
        base_fee: v.exactOptional(datedAmounts),
        minimum: v.exactOptional(datedAmounts),
        counted: v.exactOptional(counted),
        metered: v.exactOptional(meteredThings),
        smallest_suspend_delay: v.exactOptional(duration({ atLeast: '1s', atMost: '7d', default: '5m' })),
      }),
    ),
    problemCheck(({ node, value }) => findWrongEnd(node, value)),
  );
}

type WrittenPlan = v.InferOutput<ReturnType<typeof planSchema>>;

/** @param usual the currency of plans that name none. */
export function toPlan({ value }: WrittenPlan, usual: string): PricePlan {
  const { match = {}, prices, smallest_suspend_delay: smallestSuspendDelayMs, ...plan } = value;
  return {
    name: plan.name,
    match,
    currency: plan.currency ?? usual,
    prices: prices.map(price => price.value),
    ...datedFrom(plan),
    ...(plan.included && { included: plan.included }),
    ...(plan.base_fee !== undefined && { baseFee: plan.base_fee }),
    ...(plan.minimum !== undefined && { minimum: plan.minimum }),
    ...(plan.partial_period === 'whole' && { partialPeriod: 'whole' }),
    ...(plan.counted && { counted: plan.counted }),
    ...(plan.metered && { metered: plan.metered }),
    ...(smallestSuspendDelayMs !== undefined && { smallestSuspendDelayMs }),
  };
}
