import * as v from 'valibot';
import { savedHourColumns, savedMoneyColumns } from '../report/column/finding.ts';
import type { ReadRow } from '../report/report-list.ts';
import { columnFields, sumDecimals } from './answer-field.ts';

/** What following findings saves in 30 days, likely and at most; null where that is not known. */
export const savingFields = columnFields([...savedHourColumns, ...savedMoneyColumns]);

const savingField = v.object(savingFields);
export type WrittenSaving = Readonly<v.InferOutput<typeof savingField>>;

/** The saving of a row of the report of findings, or of its totals. */
export function savingOf(row: ReadRow<'findings'> | undefined): WrittenSaving {
  return v.parse(savingField, row ?? {});
}

/** What several findings save together. */
export function sumSavings(savings: readonly WrittenSaving[]): WrittenSaving {
  const sum = (key: keyof WrittenSaving) => sumDecimals(savings.map(each => each[key]));
  return {
    compute_hours_per_month: sum('compute_hours_per_month'),
    cost_per_month: sum('cost_per_month'),
    most_compute_hours_per_month: sum('most_compute_hours_per_month'),
    most_cost_per_month: sum('most_cost_per_month'),
  };
}
