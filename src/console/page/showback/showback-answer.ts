import * as v from 'valibot';
import { decimalField } from '../../answer-field.ts';
import { offeredFields } from '../../chosen-period.ts';
import { period, text } from '../../parameter.ts';
import { reportFields } from '../../report-field.ts';

export const showbackQuery = v.object({
  period: period('billing'),
  grouping: text(),
  /** One group alone, such as `team/web`. */
  group: text(1000),
  account: text(),
});
export type ShowbackQuery = v.InferOutput<typeof showbackQuery>;

/** A page as `report showback` has it: its numbers are texts that are ready to be shown. */
const pageField = v.object({
  group: v.string(),
  cost: decimalField,
  used_hours: decimalField,
  cost_before: v.nullable(decimalField),
  /** Whether all of the period before is known. */
  is_before_whole: v.boolean(),
  /** The cost of its use without charges, and that of the period before, until the same time where this one goes on. */
  use_cost: decimalField,
  use_cost_before: v.nullable(decimalField),
  figures: v.array(v.object({ label: v.string(), value: v.string(), detail: v.string() })),
  parts: v.array(v.object({ what: v.string(), cost: v.string() })),
  total: v.string(),
  cost_title: v.string(),
  before_title: v.string(),
  projects: v.array(
    v.object({
      account: v.nullable(v.string()),
      project_id: v.nullable(v.string()),
      name: v.string(),
      hours: v.string(),
      cost: v.string(),
      before: v.string(),
      change: v.string(),
    }),
  ),
  findings: v.array(
    v.object({
      project: v.string(),
      endpoint: v.nullable(v.string()),
      saves: v.string(),
      evidence: v.string(),
      advice: v.string(),
    }),
  ),
  missing: v.array(v.string()),
  notes: v.array(v.string()),
});
export type ShowbackPart = v.InferOutput<typeof pageField>;

export const showbackAnswer = v.object({
  has_prices: v.boolean(),
  groupings: v.array(v.string()),
  ...offeredFields,
  /** Null without prices or groups. */
  showback: v.nullable(v.object({ ...reportFields, grouping: v.string(), pages: v.array(pageField) })),
});
export type ShowbackAnswer = v.InferOutput<typeof showbackAnswer>;
