import { addAmounts, amountOf, currencyDecimals, noAmount, showAmount } from '../../../cost/money/money.ts';
import type { Report } from '../../../report/format/report.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import { keyRows } from '../../report-row.ts';
import { rowKey } from './fleet-row.ts';

/** The saving of a project's findings in 30 days, as the report of findings has them. */
export interface FoundSaving {
  readonly findings: number;
  /** Likely; null where of none of them it is known. */
  readonly hours: DecimalText | null;
  readonly cost: DecimalText | null;
  /** At most; null where none of them saves compute. */
  readonly mostHours: DecimalText | null;
  /** Null where none of them has a price. */
  readonly mostCost: DecimalText | null;
}

const hourDecimals = 2;

/** Adds up the rows of the report of findings by project. */
export function sumFindings(report: Report): ReadonlyMap<string, FoundSaving> {
  const decimals = report.currency === undefined ? 0 : currencyDecimals(report.currency);
  const rows = Map.groupBy(keyRows(report), row =>
    rowKey(row.text('account') ?? '', row.text('project_id') ?? ''),
  );
  return new Map(
    [...rows].map(([key, own]) => {
      const sum = (column: string, places: number) =>
        sumShown(
          own.flatMap(row => row.decimal(column) ?? []),
          places,
        );
      return [
        key,
        {
          findings: own.length,
          hours: sum('compute_hours_per_month', hourDecimals),
          cost: sum('cost_per_month', decimals),
          mostHours: sum('most_compute_hours_per_month', hourDecimals),
          mostCost: sum('most_cost_per_month', decimals),
        },
      ];
    }),
  );
}

function sumShown(shown: readonly DecimalText[], decimals: number): DecimalText | null {
  if (shown.length === 0) return null;
  return showAmount(shown.map(amountOf).reduce(addAmounts, noAmount), decimals);
}
