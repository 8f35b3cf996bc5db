import * as v from 'valibot';
import type { CountedThing, PricePlan } from '../resources/price-book.ts';
import { datedAllowance } from './dated-allowance.ts';
import { datedAmounts } from './dated-amount.ts';
import { datedFrom, findWrongEnd } from './dated-entry.ts';
import { datedPrices } from './dated-price.ts';
import { planMatch } from './grouping-reader.ts';
import { meteredThings } from './metered-reader.ts';
import { group, isListOrNothing, list, placed, problemCheck, type Schema, single } from './schema.ts';
import { currency, date, decimal, spendingName } from './spending-schema.ts';
import { duration } from './value-schema.ts';

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
