import type { MadeReport } from '../../../report/maker.ts';
import { keyRows, keyTotals } from '../../report-row.ts';
import { savingOf } from '../../saving-field.ts';
import type { Saving } from './overview-answer.ts';

/** So many findings are told. */
const mostFindings = 5;

/** Savings of findings, the most first, as the report of findings has it. */
export function describeSaving(report: MadeReport): Saving {
  const rows = keyRows(report);
  return {
    findings: rows.length,
    ...savingOf(keyTotals(report)),
    currency: report.currency ?? null,
    costliest: rows.slice(0, mostFindings).map(row => ({
      kind: row.text('kind') ?? '',
      account: row.text('account') ?? '',
      project_id: row.text('project_id') ?? '',
      project_name: row.text('project_name') || null,
      endpoint_id: row.text('endpoint_id') || null,
      ...savingOf(row),
      up_to: row.flag('up_to') ?? false,
      advice: row.text('advice') ?? '',
    })),
  };
}
