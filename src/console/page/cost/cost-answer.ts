import * as v from 'valibot';
import {
  amountFields,
  boundsField,
  decimalField,
  instantField,
  spanField,
  stepField,
} from '../../answer-field.ts';
import { offeredFields } from '../../chosen-period.ts';
import { restsOnField } from '../../progress.ts';
import { periodField, reportFields } from '../../report-field.ts';

const costStepField = v.object({
  ...stepField.entries,
  /** Null where nothing was used, or nothing of it has a price. */
  ...amountFields,
  /** Whether it is a whole day, week or month that is over, and all use in it is known. */
  is_whole: v.boolean(),
});

const seriesField = v.object({
  name: v.string(),
  /** A charge is for no project; `others` is all that is not among the dearest. */
  kind: v.picklist(['scope', 'charge', 'others']),
  account: v.nullable(v.string()),
  project_id: v.nullable(v.string()),
  cost: v.nullable(decimalField),
  /** Why there is no cost, such as `unpriced`. */
  no_cost: v.nullable(v.string()),
  used_hours: v.nullable(decimalField),
  /** By step, in their order. */
  cost_by_step: v.array(v.nullable(decimalField)),
  hours_by_step: v.array(v.nullable(decimalField)),
  /** What it came to in the same part of the period before; null where that is not known, or it is new. */
  before: v.nullable(v.object(amountFields)),
});
export type CostSeries = v.InferOutput<typeof seriesField>;

/** Since when all use in a period is known; null where it is from its beginning on. */
const knownFromField = v.nullable(instantField);

const beforeField = v.object({
  period: periodField,
  ...amountFields,
  /** Sentences on what is not known of it. */
  missing: v.array(v.string()),
  known_from: knownFromField,
  /** Whether series of the period that are not in it are new. */
  is_whole: v.boolean(),
});

const stackField = v.object({
  ...reportFields,
  known_from: knownFromField,
  by: v.string(),
  grouping: v.nullable(v.string()),
  step: v.picklist(['day', 'week', 'month']),
  /** The word for the period before. */
  period_before: v.string(),
  ...amountFields,
  steps: v.array(costStepField),
  /** Steps from now until the end of a period that goes on. */
  steps_to_come: v.array(stepField),
  /** The dearest first; without prices by use. */
  series: v.array(seriesField),
  /** The same part of the period before; null where nothing is known of it. */
  before: v.nullable(beforeField),
  /** Prices of a compute hour that changed within the period. */
  price_changes: v.array(
    v.object({
      at: instantField,
      plan: v.string(),
      currency: v.string(),
      /** The list prices, and what is left of them with the discounts. */
      price: decimalField,
      before: decimalField,
      discounted: decimalField,
      discounted_before: decimalField,
    }),
  ),
  /** The dearest projects of all groups; without prices by use. */
  projects: v.array(
    v.object({
      account: v.string(),
      project_id: v.string(),
      project_name: v.nullable(v.string()),
      ...amountFields,
    }),
  ),
});
export type CostStack = v.InferOutput<typeof stackField>;

const budgetField = v.object({
  /** Whether it is of all that the page shows, and of no part of it. */
  is_of_all: v.boolean(),
  budget: v.string(),
  /** A currency, or `compute_hours`. */
  unit: v.string(),
  /** Such as `account main` or `group team/web`. */
  scope: v.string(),
  period: spanField,
  limit: decimalField,
  spent: decimalField,
  /** Spent over the limit; null where the limit is 0. */
  used_ratio: v.nullable(v.number()),
  projected: v.nullable(decimalField),
  bounds: v.nullable(boundsField),
  exhausted_at: v.nullable(instantField),
  /** All days of its period; empty where it is not told by day. */
  days: v.array(stepField),
  /** Spent from the beginning until the end of each day; null where it is not told by day. */
  by_day: v.nullable(v.array(v.object({ day: v.string(), until: instantField, spent: decimalField }))),
});
export type CostBudget = v.InferOutput<typeof budgetField>;

const forecastField = v.object({
  account: v.string(),
  period: spanField,
  known_until: instantField,
  cost: v.nullable(decimalField),
  /** Null while too little is known. */
  expected: v.nullable(decimalField),
  bounds: v.nullable(boundsField),
  /** So far, and as expected by the end of the period. */
  compute_hours: v.object({
    used: decimalField,
    expected: v.nullable(decimalField),
    bounds: v.nullable(boundsField),
  }),
  /** Quantities that the service meters besides, in the units that are billed; empty where it meters nothing. */
  metered: v.array(
    v.object({
      what: v.string(),
      unit: v.string(),
      so_far: decimalField,
      expected: decimalField,
      bounds: boundsField,
    }),
  ),
  /** Parts of what periods came to; null while there is no forecast to look back on. */
  quality: v.nullable(
    v.object({ mean_error: v.number(), run_rate_mean_error: v.number(), coverage80: v.number() }),
  ),
});
export type CostForecast = v.InferOutput<typeof forecastField>;

export const costAnswer = v.object({
  /** The reading that the figures rest on. */
  rests_on: restsOnField,
  /** The instant that all figures are of; null where there are none. */
  as_of: v.nullable(instantField),
  /** Without a price book there is no cost. */
  has_prices: v.boolean(),
  accounts: v.array(v.string()),
  groupings: v.array(v.string()),
  ...offeredFields,
  cost: v.nullable(stackField),
  /** Without prices, the same of compute hours alone. */
  use: v.nullable(stackField),
  /** Whether budgets and forecasts are worked out. */
  is_outlook_known: v.boolean(),
  /** As they stand, whatever the period. */
  budgets: v.array(budgetField),
  /** Budgets whose own periods began in a period that is over, as their report has them, or as they stand where they go on; null of a period that goes on. */
  past_budgets: v.nullable(v.array(budgetField)),
  /** The forecasts of the billing period now. */
  forecasts: v.array(forecastField),
});
export type CostAnswer = v.InferOutput<typeof costAnswer>;
