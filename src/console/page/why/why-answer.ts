import * as v from 'valibot';
import { causeColumns } from '../../../report/why/cause-row.ts';
import { columnFields, decimalField } from '../../answer-field.ts';
import { offeredFields } from '../../chosen-period.ts';
import { period, text } from '../../parameter.ts';
import { periodField, reportFields } from '../../report-field.ts';

export const whyQuery = v.object({
  period: period('last-billing'),
  against: text(),
  account: text(),
  group: text(1000),
});
export type WhyQuery = v.InferOutput<typeof whyQuery>;

const causeField = v.object({
  ...columnFields(causeColumns),
  level: v.number(),
  kind: v.string(),
  cause: v.string(),
  /** Why there is no difference in money, such as `unpriced`. */
  no_difference: v.nullable(v.string()),
});
export type WhyCause = v.InferOutput<typeof causeField>;

const whyField = v.object({
  ...reportFields,
  against: periodField,
  /** Null without prices, as the difference then is: in their place are compute hours. */
  cost: v.nullable(decimalField),
  cost_before: v.nullable(decimalField),
  /** Null with prices. */
  used_hours: v.nullable(decimalField),
  used_hours_before: v.nullable(decimalField),
  /** Whether enough is known of the period before. */
  comparable: v.boolean(),
  difference: v.nullable(decimalField),
  compute_hours: v.nullable(decimalField),
  /** The difference in sentences, the largest causes first. */
  summary: v.array(v.string()),
  causes: v.array(causeField),
});
export const whyAnswer = v.object({
  has_prices: v.boolean(),
  accounts: v.array(v.string()),
  /** Groups that it can be asked of, such as `team/web`. */
  groups: v.array(v.string()),
  ...offeredFields,
  why: whyField,
});
export type WhyAnswer = v.InferOutput<typeof whyAnswer>;
export type WhyReport = v.InferOutput<typeof whyField>;
