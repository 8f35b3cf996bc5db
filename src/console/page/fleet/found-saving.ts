import {
  type Amount,
  addAmounts,
  amountOf,
  currencyDecimals,
  noAmount,
  showAmount,
} from '../../../cost/money/money.ts';
import type { Report } from '../../../report/format/report.ts';
import type { DecimalText } from '../../../resources/price-book.ts';
import { keyRows } from '../../report-row.ts';
import { rowKey } from './fleet-row.ts';

/** The saving of a project's findings in 30 days, as the report of findings has them. */
export interface FoundSaving {
  readonly findings: number;
  /** Null where none of them saves compute. */
  readonly hours: DecimalText | null;
  /** Null where none of them has a price. */
  readonly cost: DecimalText | null;
}

interface Sum {
  findings: number;
  hours: Amount | undefined;
  cost: Amount | undefined;
}

const hourDecimals = 2;

/** Adds up the rows of the report of findings by project. */
export function sumFindings(report: Report): ReadonlyMap<string, FoundSaving> {
  const sums = new Map<string, Sum>();
  for (const row of keyRows(report)) {
    const key = rowKey(row.text('account') ?? '', row.text('project_id') ?? '');
    const sum = sums.get(key) ?? { findings: 0, hours: undefined, cost: undefined };
    sums.set(key, sum);
    sum.findings += 1;
    sum.hours = addShown(sum.hours, row.text('compute_hours_per_month'));
    sum.cost = addShown(sum.cost, row.text('cost_per_month'));
  }
  const decimals = report.currency === undefined ? 0 : currencyDecimals(report.currency);
  return new Map(
    [...sums].map(([key, { findings, hours, cost }]) => [
      key,
      {
        findings,
        hours: hours === undefined ? null : showAmount(hours, hourDecimals),
        cost: cost === undefined ? null : showAmount(cost, decimals),
      },
    ]),
  );
}

function addShown(sum: Amount | undefined, shown: DecimalText | undefined): Amount | undefined {
  return shown === undefined ? sum : addAmounts(sum ?? noAmount, amountOf(shown));
}
