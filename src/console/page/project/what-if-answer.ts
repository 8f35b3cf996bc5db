import * as v from 'valibot';
import { decimalField } from '../../answer-field.ts';
import { askSoon } from '../../desk/ready-report.ts';
import type { ConsoleSources } from '../../page.ts';
import { keyRows } from '../../report-row.ts';

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

/** Replays the past of a project's endpoints with other settings: the rows of `report findings --suspend-after`. */
export async function readWhatIf(
  { reports }: ConsoleSources,
  { account, project_id, suspend_after, min_cu }: WhatIfRequest,
): Promise<WhatIfAnswer | null> {
  if (suspend_after === '' && min_cu === '') return null;
  const report = await askSoon(reports, 'findings', {
    project: `${account}/${project_id}`,
    ...(suspend_after !== '' && { suspendAfter: Number(suspend_after) }),
    ...(min_cu !== '' && { minCu: Number(min_cu) }),
  });
  const rows = report === undefined ? [] : keyRows(report);
  return {
    suspend_after_seconds: suspend_after === '' ? null : Number(suspend_after),
    min_cu: min_cu === '' ? null : Number(min_cu),
    currency: report?.currency ?? null,
    pending: report === undefined,
    endpoints: rows.map(row => ({
      endpoint_id: row.text('endpoint_id') ?? '',
      suspend_delay_seconds: row.count('suspend_delay_seconds') ?? null,
      min_cu: row.text('min_cu') ?? null,
      used_hours_per_month: row.text('used_hours_per_month') ?? null,
      saved_hours_per_month: row.text('saved_hours_per_month') ?? null,
      saved_cost_per_month: row.text('saved_cost_per_month') ?? null,
      most_saved_hours_per_month: row.text('most_saved_hours_per_month') ?? null,
      most_saved_cost_per_month: row.text('most_saved_cost_per_month') ?? null,
      more_wakes_per_day: row.text('more_wakes_per_day') ?? null,
      up_to: row.flag('up_to') ?? null,
    })),
    notes: [...(report?.notes ?? [])],
  };
}
