import * as v from 'valibot';
import { leadToDone } from '../report/column/done-finding.ts';
import type { ReportSpan } from '../report/format/report.ts';
import { onOneLine } from '../report/format/shown-cell.ts';
import type { MadeReport } from '../report/maker.ts';
import { instantField, spanField } from './answer-field.ts';
import { writeInstant } from './answer-value.ts';

export const periodField = v.object({
  /** As it was asked for. */
  label: v.string(),
  ...spanField.entries,
  timezone: v.string(),
});

/** Fields of every answer that is made of a report. */
export const reportFields = {
  period: periodField,
  generated_at: instantField,
  currency: v.nullable(v.string()),
  /** Sentences on what is missing that was asked for. */
  missing: v.array(v.string()),
  /** Sentences on the meaning of the figures. */
  notes: v.array(v.string()),
};

/** @param wayToDone what leads to findings that are done, where that is not what the command says. */
export function writeReport(
  { period, generatedAt, currency, gaps, notes }: MadeReport,
  wayToDone = leadToDone,
) {
  const lines = notes.map(note => onOneLine(note).replace(leadToDone, wayToDone));
  return {
    period: writePeriod(period),
    generated_at: writeInstant(generatedAt),
    currency: currency ?? null,
    missing: [...gaps],
    notes: lines.filter(note => !gaps.includes(note)),
  };
}

export function writePeriod({ label, fromAt, untilAt, timezone }: ReportSpan) {
  return { label, from: writeInstant(fromAt), until: writeInstant(untilAt), timezone };
}
