import type { MadeReport } from '../../../report/maker.ts';
import { readRows, readTotals } from '../../report-row.ts';
import { savingOf } from '../../saving-field.ts';
import { writeFinding } from '../finding/finding-answer.ts';
import type { Saving } from './overview-answer.ts';

/** So many findings are told. */
const mostFindings = 5;

/** Savings of findings, the most first, as the report of findings has it. */
export function describeSaving(report: MadeReport): Saving {
  const rows = readRows<'findings'>(report);
  return {
    findings: rows.length,
    ...savingOf(readTotals<'findings'>(report)),
    currency: report.currency ?? null,
    costliest: rows
      .slice(0, mostFindings)
      .map(row => ({ ...writeFinding(row), up_to: row.up_to ?? false, advice: row.advice ?? '' })),
  };
}
