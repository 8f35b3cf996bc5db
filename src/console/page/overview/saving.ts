import type { MadeReport } from '../../../report/maker.ts';
import { type KeyedRow, keyRows, keyTotals } from '../../report-row.ts';
import type { Saving } from './overview-answer.ts';

/** So many findings are told. */
const mostFindings = 4;

/** Savings of findings, the most first, as the report of findings has it. */
export function describeSaving(report: MadeReport): Saving {
  const rows = keyRows(report);
  return {
    findings: rows.length,
    ...figuresOf(keyTotals(report)),
    currency: report.currency ?? null,
    costliest: rows.slice(0, mostFindings).map(row => ({
      kind: row.text('kind') ?? '',
      account: row.text('account') ?? '',
      project_id: row.text('project_id') ?? '',
      project_name: row.text('project_name') || null,
      endpoint_id: row.text('endpoint_id') || null,
      ...figuresOf(row),
      up_to: row.flag('up_to') ?? false,
      advice: row.text('advice') ?? '',
    })),
  };
}

function figuresOf(row: KeyedRow | undefined) {
  return {
    cost_per_month: row?.decimal('cost_per_month') ?? null,
    compute_hours_per_month: row?.decimal('compute_hours_per_month') ?? null,
    most_cost_per_month: row?.decimal('most_cost_per_month') ?? null,
    most_compute_hours_per_month: row?.decimal('most_compute_hours_per_month') ?? null,
  };
}
