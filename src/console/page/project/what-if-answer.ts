import * as v from 'valibot';
import type { replayedColumns } from '../../../report/change.ts';
import type { ReportOptions } from '../../../report/kind.ts';
import type { MadeReport } from '../../../report/maker.ts';
import { decimalField } from '../../answer-field.ts';
import { readRows } from '../../report-row.ts';

const replayedField = v.object({
  endpoint_id: v.string(),
  /** As reported, or as it looks from outside. */
  suspend_delay_seconds: v.nullable(v.number()),
  min_cu: v.nullable(decimalField),
  used_hours_per_month: v.nullable(decimalField),
  /** Likely saved, and at most. */
  saved_hours_per_month: v.nullable(decimalField),
  saved_cost_per_month: v.nullable(decimalField),
  most_saved_hours_per_month: v.nullable(decimalField),
  most_saved_cost_per_month: v.nullable(decimalField),
  more_wakes_per_day: v.nullable(decimalField),
  /** Whether it may save anything up to the most; null where nothing is known of what it would save. */
  up_to: v.nullable(v.boolean()),
});

/** Savings that other settings would have made. */
export const whatIfField = v.object({
  suspend_after_seconds: v.nullable(v.number()),
  min_cu: v.nullable(v.number()),
  currency: v.nullable(v.string()),
  pending: v.boolean(),
  endpoints: v.array(replayedField),
  notes: v.array(v.string()),
});
export type WhatIfAnswer = v.InferOutput<typeof whatIfField>;

export interface WhatIfRequest {
  readonly account: string;
  readonly project_id: string;
  readonly suspend_after: string;
  readonly min_cu: string;
}

/** The options of the report that replays the past of a project's endpoints with other settings; undefined without one. */
export function askWhatIf({
  account,
  project_id,
  suspend_after,
  min_cu,
}: WhatIfRequest): ReportOptions | undefined {
  if (suspend_after === '' && min_cu === '') return undefined;
  return {
    project: `${account}/${project_id}`,
    ...(suspend_after !== '' && { suspendAfter: Number(suspend_after) }),
    ...(min_cu !== '' && { minCu: Number(min_cu) }),
  };
}

/** What other settings would have saved: the rows of `report findings --suspend-after`. */
export function writeWhatIf(
  report: MadeReport | undefined,
  { suspend_after, min_cu }: WhatIfRequest,
  pending: boolean,
): WhatIfAnswer | null {
  if (suspend_after === '' && min_cu === '') return null;
  const rows = report === undefined ? [] : readRows<typeof replayedColumns>(report);
  return {
    suspend_after_seconds: suspend_after === '' ? null : Number(suspend_after),
    min_cu: min_cu === '' ? null : Number(min_cu),
    currency: report?.currency ?? null,
    pending,
    endpoints: rows.map(row => ({
      endpoint_id: row.endpoint_id ?? '',
      suspend_delay_seconds: row.suspend_delay_seconds ?? null,
      min_cu: row.min_cu ?? null,
      used_hours_per_month: row.used_hours_per_month ?? null,
      saved_hours_per_month: row.saved_hours_per_month ?? null,
      saved_cost_per_month: row.saved_cost_per_month ?? null,
      most_saved_hours_per_month: row.most_saved_hours_per_month ?? null,
      most_saved_cost_per_month: row.most_saved_cost_per_month ?? null,
      more_wakes_per_day: row.more_wakes_per_day ?? null,
      up_to: row.up_to ?? null,
    })),
    notes: [...(report?.notes ?? [])],
  };
}
