import * as v from 'valibot';
import { reportKinds } from '../../../report/kind.ts';
import { offeredFields } from '../../chosen-period.ts';
import { reportFields } from '../../report-field.ts';

/** The parameters of a report, each a text, and how its table is sorted. */
export type ReportQuery = Readonly<Partial<Record<string, string>>> & {
  /** The key of a column; the order of the report where it is empty. */
  readonly sort: string;
  readonly order: 'asc' | 'desc';
};

export const reportAnswer = v.object({
  report: v.picklist(reportKinds),
  question: v.string(),
  title: v.string(),
  summary: v.array(v.string()),
  ...offeredFields,
  columns: v.array(v.object({ key: v.string(), title: v.string(), is_number: v.boolean() })),
  /** As people read them; `/api/v1/reports` has them for programs. */
  rows: v.array(
    v.object({
      cells: v.array(v.string()),
      /** The project that it is of. */
      account: v.nullable(v.string()),
      project_id: v.nullable(v.string()),
    }),
  ),
  totals: v.nullable(v.array(v.string())),
  /** Rows of the whole report; only the first are here. */
  row_count: v.number(),
  ...reportFields,
});
export type ReportAnswer = v.InferOutput<typeof reportAnswer>;
