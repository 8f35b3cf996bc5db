import type { ReadRow } from '../report/report-list.ts';
import type { DecimalText } from '../resources/price-book.ts';
import type { WrittenSaving } from './answer-field.ts';
import { sumDecimals } from './answer-value.ts';

/** The saving of a row of the report of findings, or of its totals. */
export function savingOf(row: ReadRow<'findings'> | undefined): WrittenSaving {
  return writeSaving(key => row?.[key] ?? null);
}

/** The saving of several findings together. */
export function sumSavings(savings: readonly WrittenSaving[]): WrittenSaving {
  return writeSaving(key => sumDecimals(savings.map(each => each[key])));
}

function writeSaving(amountOf: (key: keyof WrittenSaving) => DecimalText | null): WrittenSaving {
  return {
    compute_hours_per_month: amountOf('compute_hours_per_month'),
    cost_per_month: amountOf('cost_per_month'),
    most_compute_hours_per_month: amountOf('most_compute_hours_per_month'),
    most_cost_per_month: amountOf('most_cost_per_month'),
  };
}
