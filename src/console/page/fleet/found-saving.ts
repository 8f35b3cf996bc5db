import type { Report } from '../../../report/format/report.ts';
import { keyRows } from '../../report-row.ts';
import { savingOf, sumSavings, type WrittenSaving } from '../../saving-field.ts';
import { rowKey } from './fleet-row.ts';

/** The saving of a project's findings in 30 days, as the report of findings has them. */
export interface FoundSaving extends WrittenSaving {
  readonly findings: number;
}

/** Adds up the rows of the report of findings by project. */
export function sumFindings(report: Report): ReadonlyMap<string, FoundSaving> {
  const rows = Map.groupBy(keyRows(report), row =>
    rowKey(row.text('account') ?? '', row.text('project_id') ?? ''),
  );
  return new Map(
    [...rows].map(([key, own]) => [key, { findings: own.length, ...sumSavings(own.map(savingOf)) }]),
  );
}
