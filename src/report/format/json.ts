import { type Report, type ReportRow, type ReportSpan, type WrittenGap, writeCell } from './report.ts';
import { writeInstant } from './value-kind.ts';

/** It grows when a key changes its meaning or goes: new keys may come at any time. */
const schemaVersion = 1;

/** A report for programs. Decimal numbers are texts, so that none loses a digit; a missing value is null. */
export function renderJson({
  title,
  period,
  against,
  summary,
  generatedAt,
  currency,
  fingerprint,
  columns,
  rows,
  totals,
  notes,
  unknownUse,
  partial,
}: Report): string {
  const write = (row: ReportRow) =>
    Object.fromEntries(columns.map((column, index) => [column.key, writeCell(row[index], column) ?? null]));
  const written = {
    schema_version: schemaVersion,
    generated_at: writeInstant(generatedAt),
    ...(fingerprint !== undefined && { price_book_fingerprint: fingerprint }),
    title,
    period: writePeriod(period),
    ...(against && {
      against: { ...writePeriod(against.period), cost: against.before, comparable: against.isComparable },
      cost: against.after,
    }),
    ...(currency !== undefined && { currency }),
    ...(summary && { summary }),
    rows: rows.map(write),
    totals: totals === undefined ? null : write(totals),
    notes,
    ...(unknownUse && { gaps: unknownUse.map(writeGap) }),
    partial,
  };
  return `${JSON.stringify(written, null, 2)}\n`;
}

function writePeriod({ label, fromAt, untilAt, timezone }: ReportSpan) {
  return { label, from: writeInstant(fromAt), until: writeInstant(untilAt), timezone };
}

function writeGap({ fromAt, untilAt, hoursAtMost, costAtMost, ...gap }: WrittenGap) {
  return {
    ...gap,
    from: writeInstant(fromAt),
    until: writeInstant(untilAt),
    compute_hours_at_most: hoursAtMost ?? null,
    ...(costAtMost !== undefined && { cost_at_most: costAtMost }),
  };
}
