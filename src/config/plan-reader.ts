import * as v from 'valibot';
import { compact } from '../resources/field.ts';
import type {
  CountedThing,
  DatedAmounts,
  DatedIncluded,
  DatedPrice,
  Included,
  PricePlan,
} from '../resources/price-book.ts';
import { allowances, anyDates, dated, datedList, dates, pool } from './dated-entry.ts';
import { planMatch } from './grouping-reader.ts';
import { meteredThings } from './metered-reader.ts';
import type { Problem } from './problem.ts';
import {
  group,
  list,
  oneOrList,
  type Placed,
  placed,
  problemCheck,
  type Schema,
  single,
  unplaced,
} from './schema.ts';
import { currency, decimal, spendingName } from './spending-schema.ts';
import { unitPrices } from './unit-price.ts';
import { duration } from './value-schema.ts';
import { findWrongChoice, type WrittenNode } from './written-node.ts';

const allowanceAdvice = 'write compute_hours or amount, and per';

const allowanceKeys = {
  per: pool,
  compute_hours: v.exactOptional(decimal),
  amount: v.exactOptional(decimal),
};

interface WrittenAllowance {
  readonly per: Included['per'];
  readonly compute_hours?: string;
  readonly amount?: string;
}

function findWrongThing({ node }: { readonly node: WrittenNode }): Problem[] {
  return findWrongChoice(node, ['compute_hours', 'amount']);
}

function toIncluded({ per, compute_hours = '0', amount }: WrittenAllowance): Included {
  return amount === undefined ? { computeHours: compute_hours, per } : { amount, per };
}

const allowance: Schema<Included> = v.pipe(
  placed(group(allowanceAdvice, allowanceKeys)),
  problemCheck(read => findWrongThing(read)),
  v.transform(({ value }) => toIncluded(value)),
);

const datedAllowance: Schema<Placed<DatedIncluded>> = v.pipe(
  dated(group(`${allowanceAdvice}, and from`, { ...dates, ...allowanceKeys }), findWrongThing),
  v.transform(({ node, value: { per, compute_hours, amount, ...time } }) => {
    return { node, value: { ...time, ...toIncluded({ per, ...compact({ compute_hours, amount }) }) } };
  }),
);

/** The prices of a compute hour of a plan, in order of time. */
const datedPrices: Schema<Placed<DatedPrice>[]> = v.pipe(
  unitPrices({ key: 'per_compute_hour', quantity: 'the compute hours' }),
  v.transform(read =>
    read.map(({ node, value: { price: perComputeHour, tiers, ...value } }): Placed<DatedPrice> => {
      const higher = tiers?.map(tier => ({ beyondHours: tier.beyond, perComputeHour: tier.price }));
      return { node, value: { ...value, perComputeHour, ...compact({ tiers: higher }) } };
    }),
  ),
);

const amountEntry = dated(group('write from and amount', { ...dates, amount: decimal }));
const amountAdvice = 'write an amount such as 19, or a list of some, each after a "- "';
const amountList = unplaced(datedList('amount', amountAdvice, amountEntry));
/** An amount for all time, or some with dates. */
const datedAmounts = oneOrList<DatedAmounts>(decimal, amountList);

const countedThing: Schema<CountedThing> = v.pipe(
  dated(
    group('write name, of and price', {
      name: spendingName,
      of: single('write projects, endpoints or branches', v.picklist(['projects', 'endpoints', 'branches'])),
      price: decimal,
      included: v.exactOptional(decimal),
      count: v.exactOptional(single('write time or peak', v.picklist(['time', 'peak']))),
      ...anyDates,
    }),
  ),
  v.transform(({ value: { included = '0', count = 'time', ...thing } }): CountedThing => {
    return { ...thing, included, count };
  }),
);

/** A plan as it is written. */
export function planSchema(groupNames: readonly string[]) {
  const counted = list('write a list of things, each after a "- "', countedThing, 'any number');
  return dated(
    group('write name and prices', {
      name: spendingName,
      prices: datedPrices,
      match: v.exactOptional(planMatch(groupNames)),
      currency: v.exactOptional(currency),
      ...anyDates,
      partial_period: v.exactOptional(single('write prorated or whole', v.picklist(['prorated', 'whole']))),
      included: v.exactOptional(allowances<Included>(allowanceAdvice, allowance, datedAllowance)),
      base_fee: v.exactOptional(datedAmounts),
      minimum: v.exactOptional(datedAmounts),
      counted: v.exactOptional(counted),
      metered: v.exactOptional(meteredThings),
      smallest_suspend_delay: v.exactOptional(duration({ atLeast: '1s', atMost: '7d', default: '5m' })),
    }),
  );
}

type WrittenPlan = v.InferOutput<ReturnType<typeof planSchema>>;

/** @param usual the currency of plans that name none. */
export function toPlan({ value }: WrittenPlan, usual: string): PricePlan {
  const { match = {}, currency: own = usual, prices, base_fee, partial_period, ...plan } = value;
  const { smallest_suspend_delay, ...same } = plan;
  return {
    ...{ ...same, match, currency: own, prices: prices.map(price => price.value) },
    ...(partial_period === 'whole' && { partialPeriod: partial_period }),
    ...compact({ baseFee: base_fee, smallestSuspendDelayMs: smallest_suspend_delay }),
  };
}
