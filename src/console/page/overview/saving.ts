import type { MadeReport } from '../../../report/maker.ts';
import { keyRows, keyTotals } from '../../report-row.ts';
import type { Saving } from './overview-answer.ts';

/** So many findings are told. */
const mostFindings = 4;

/** Savings of findings, the most first, as the report of findings has it. */
export function describeSaving(report: MadeReport): Saving {
  const rows = keyRows(report);
  const total = keyTotals(report);
  const isUpTo = report.columns.findIndex(({ key }) => key === 'up_to');
  return {
    findings: rows.length,
    cost_per_month: total?.text('cost_per_month') ?? null,
    compute_hours_per_month: total?.text('compute_hours_per_month') ?? null,
    currency: report.currency ?? null,
    costliest: rows.slice(0, mostFindings).map((row, index) => ({
      kind: row.text('kind') ?? '',
      account: row.text('account') ?? '',
      project_id: row.text('project_id') ?? '',
      project_name: row.text('project_name') || null,
      endpoint_id: row.text('endpoint_id') || null,
      cost_per_month: row.text('cost_per_month') ?? null,
      compute_hours_per_month: row.text('compute_hours_per_month') ?? null,
      up_to: report.rows[index]?.[isUpTo] === true,
      advice: row.text('advice') ?? '',
    })),
  };
}
