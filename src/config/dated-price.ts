import * as v from 'valibot';
import type { DatedPrice } from '../resources/price-book.ts';
import type { Placed, Schema } from './schema.ts';
import { unitPrices } from './unit-price.ts';

/** The prices of a compute hour of a plan, in order of time. */
export const datedPrices: Schema<Placed<DatedPrice>[]> = v.pipe(
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
