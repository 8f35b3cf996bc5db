import * as v from 'valibot';
import { doneColumns } from '../../../report/column/done-finding.ts';
import { evidenceColumns, findingColumns } from '../../../report/column/finding.ts';
import type { ReadRow } from '../../../report/report-list.ts';
import { columnFields, decimalField, savingFields } from '../../answer-field.ts';
import { choice, cursor, limit, text } from '../../parameter.ts';
import { reportFields } from '../../report-field.ts';

export const findingQuery = v.object({
  show: choice(['open', 'done']),
  account: text(),
  kind: text(),
  /** A grouping and a group, such as `team/web`. */
  group: text(),
  /** A part of the name or id of a project. */
  project: text(),
  limit: limit(50),
  cursor: cursor(),
});
export type FindingQuery = v.InferOutput<typeof findingQuery>;

export const findingField = v.object({
  ...columnFields(doneColumns),
  ...columnFields(findingColumns),
  /** The saving of a done finding is the measured one, and it has no most. */
  ...savingFields,
  ...columnFields(evidenceColumns),
  kind: v.string(),
  account: v.string(),
  project_id: v.string(),
  /** Why there is no money, such as `unpriced`. */
  no_cost: v.nullable(v.string()),
});
export type ShownFinding = v.InferOutput<typeof findingField>;

/** A finding as its report has it, open or done. */
export function writeFinding({ missing, ...row }: ReadRow<'findings'>): ShownFinding {
  return v.parse(findingField, {
    ...row,
    compute_hours_per_month: row.saved_compute_hours_per_month ?? row.compute_hours_per_month,
    cost_per_month: row.saved_cost_per_month ?? row.cost_per_month,
    no_cost: missing.saved_cost_per_month ?? missing.most_cost_per_month ?? null,
  });
}

const doneField = v.object({
  /** Number and sums of all findings that the filter leaves. */
  count: v.number(),
  compute_hours_per_month: v.nullable(decimalField),
  cost_per_month: v.nullable(decimalField),
  currency: v.nullable(v.string()),
  /** The findings that save most. */
  findings: v.array(findingField),
});
export type DoneFindings = v.InferOutput<typeof doneField>;

export const findingAnswer = v.object({
  /** Period, notes and gaps of the report; null before anything was read. */
  report: v.nullable(v.object(reportFields)),
  has_prices: v.boolean(),
  show: v.picklist(['open', 'done']),
  /** Values that can be filtered by. */
  accounts: v.array(v.string()),
  kinds: v.array(v.string()),
  groups: v.array(v.string()),
  /** Number and sums of all findings that the filter leaves. */
  count: v.number(),
  ...savingFields,
  /** The dearest first. */
  findings: v.array(findingField),
  /** Done findings beside the open ones; null where there are none, or they are not worked out yet. */
  done: v.nullable(doneField),
  next_cursor: v.nullable(v.string()),
});
export type FindingAnswer = v.InferOutput<typeof findingAnswer>;
