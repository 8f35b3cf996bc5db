import * as v from 'valibot';
import { amountFields, decimalField } from '../../answer-field.ts';
import { text } from '../../parameter.ts';
import { reportFields } from '../../report-field.ts';
import { planPriceField } from './price-in-force.ts';

function amount() {
  const message = 'a number such as 0.16';
  return v.optional(v.pipe(v.string(), v.regex(/^(\d{1,9}(\.\d{1,9})?)?$/, message)), '');
}

export const priceQuery = v.object({
  per_compute_hour: amount(),
  included_hours: amount(),
  base_fee: amount(),
  currency: v.optional(
    v.pipe(v.string(), v.regex(/^[A-Z]{3}$/, 'three capital letters, such as USD')),
    'USD',
  ),
  book: text(100),
});
export type PriceQuery = v.InferOutput<typeof priceQuery>;

/** The cost at the prices of the configuration, and the difference to that at the prices that are tried. */
const besideField = v.object({
  cost: v.nullable(decimalField),
  currency: v.nullable(v.string()),
  /** Null where one of the two is not known, or they are in two currencies. */
  difference: v.nullable(decimalField),
});
export type Beside = v.InferOutput<typeof besideField>;

const pricedPeriod = v.object({
  ...{ ...reportFields, ...amountFields },
  /** Null without prices in the configuration. */
  in_force: v.nullable(besideField),
});
export type PricedPeriod = v.InferOutput<typeof pricedPeriod>;

export const priceAnswer = v.object({
  /** What the configuration says now, plan by plan. */
  in_force: v.array(planPriceField),
  /** What it says of other times, the newest first. */
  other_prices: v.array(planPriceField),
  /** Whether the configuration has prices of its own. */
  has_prices: v.boolean(),
  /** The configuration file in use; null where there is none. */
  config_file: v.nullable(v.string()),
  /** The section to write into it; null where nothing was asked for. */
  yaml: v.nullable(v.string()),
  /** The billing period now, and the last one, as `report cost` has them with these prices. */
  periods: v.array(pricedPeriod),
  /** What the billing period is expected to come to; null with a price book, and while there is no forecast. */
  expected: v.nullable(decimalField),
  /** The same with the prices of the configuration; null without them. */
  expected_in_force: v.nullable(besideField),
  /** The dearest projects of the billing period now, and what stands for all others. */
  projects: v.array(
    v.object({
      account: v.nullable(v.string()),
      project_id: v.string(),
      project_name: v.nullable(v.string()),
      ...amountFields,
    }),
  ),
});
export type PriceAnswer = v.InferOutput<typeof priceAnswer>;
