import { renderHeading } from './heading.ts';
import type { Column, Report, ReportRow } from './report.ts';
import { onOneLine, showCell } from './shown-cell.ts';

/** For a terminal: aligned columns, numbers to the right, a line above the totals, the notes below. */
export function renderTable(report: Report): string {
  const { columns, rows, totals, notes, period } = report;
  const show = (row: ReportRow) =>
    columns.map((column, index) => showCell(row[index], column, period.timezone));
  const titles = columns.map(({ key }) => key.replaceAll('_', ' '));
  const body = rows.map(show);
  const foot = totals === undefined ? [] : [show(totals)];
  const widths = titles.map((title, index) =>
    Math.max(lengthOf(title), ...[...body, ...foot].map(cells => lengthOf(cells[index] ?? ''))),
  );
  const line = (cells: readonly string[]) => alignCells(cells, columns, widths);
  const rule = widths.map(width => '-'.repeat(width)).join('  ');
  const table = [
    line(titles),
    rule,
    ...body.map(line),
    ...(foot.length > 0 ? [rule] : []),
    ...foot.map(line),
  ];
  const content = rows.length > 0 ? table : ['Nothing to report.'];
  const below = notes.length > 0 ? ['', ...notes.map(note => `- ${onOneLine(note)}`)] : [];
  return `${[renderHeading(report), '', ...content, ...below].join('\n')}\n`;
}

function alignCells(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string {
  const aligned = cells.map((cell, index) => {
    const space = ' '.repeat(Math.max(0, (widths[index] ?? 0) - lengthOf(cell)));
    return isNumeric(columns[index]) ? space + cell : cell + space;
  });
  return aligned.join('  ').trimEnd();
}

export function isNumeric(column: Column | undefined): boolean {
  return column?.kind === 'count' || column?.kind === 'decimal';
}

function lengthOf(text: string): number {
  return [...text].length;
}
