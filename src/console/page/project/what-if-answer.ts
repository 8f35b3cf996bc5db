import * as v from 'valibot';
import {
  replayedColumns,
  replayedMoneyColumns,
  replayedRiskColumns,
} from '../../../report/column/replayed.ts';
import type { MadeReport } from '../../../report/maker.ts';
import type { ReportOptions } from '../../../report/parameter.ts';
import { columnFields } from '../../answer-field.ts';
import { readRows } from '../../report-row.ts';

const columns = [...replayedColumns, ...replayedMoneyColumns, ...replayedRiskColumns];
const replayedField = v.object({
  ...columnFields(columns),
  endpoint_id: v.string(),
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
): v.InferInput<typeof whatIfField> | null {
  if (suspend_after === '' && min_cu === '') return null;
  const rows = report === undefined ? [] : readRows<typeof columns>(report);
  return {
    suspend_after_seconds: suspend_after === '' ? null : Number(suspend_after),
    min_cu: min_cu === '' ? null : Number(min_cu),
    currency: report?.currency ?? null,
    pending,
    endpoints: rows.map(row => ({ ...row, endpoint_id: row.endpoint_id ?? '' })),
    notes: [...(report?.notes ?? [])],
  };
}
