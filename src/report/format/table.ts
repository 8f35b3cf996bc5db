import { maxOf } from '../../resources/min-max.ts';
import { renderHeading } from './heading.ts';
import { type Column, type Report, type ReportRow, showCell, titleOfColumn } from './report.ts';
import { onOneLine } from './shown-cell.ts';
import { valueKinds } from './value-kind.ts';

/** A report for a terminal: aligned columns, numbers to the right, a line above the totals, sentences below their rows. */
export function renderTable(report: Report): string {
  const { summary = [], rows, totals, notes } = report;
  const above = summary.length > 0 ? [...summary.map(onOneLine), ''] : [];
  const content =
    rows.length > 0 ? renderRows(report, totals === undefined ? [] : [totals]) : ['Nothing to report.'];
  const below = notes.length > 0 ? ['', ...notes.map(note => `- ${onOneLine(note)}`)] : [];
  return `${[renderHeading(report), '', ...above, ...content, ...below].join('\n')}\n`;
}

function renderRows({ columns, rows, period }: Report, totals: readonly ReportRow[]): string[] {
  const show = (isMeant: (column: Column) => boolean, row: ReportRow) =>
    columns.flatMap((column, index) =>
      isMeant(column) ? [showCell(row[index], column, period.timezone)] : [],
    );
  const aligned = columns.filter(isAligned);
  const body = rows.map(row => show(isAligned, row));
  const foot = totals.map(row => show(isAligned, row));
  const titles = aligned.map(titleOfColumn);
  const widths = titles.map((_, index) =>
    maxOf([titles, ...body, ...foot].map(cells => lengthOf(cells[index] ?? ''))),
  );
  const line = (cells: readonly string[]) => alignCells(cells, aligned, widths);
  const rule = widths.map(width => '-'.repeat(width)).join('  ');
  const sentences = (row: ReportRow) => show(column => !isAligned(column), row).filter(text => text !== '');
  return [
    line(titles),
    rule,
    ...rows.flatMap((row, index) => [line(body[index] ?? []), ...sentences(row).map(text => `    ${text}`)]),
    ...foot.flatMap(cells => [rule, line(cells)]),
  ];
}

function alignCells(cells: readonly string[], columns: readonly Column[], widths: readonly number[]): string {
  const aligned = cells.map((cell, index) => {
    const space = ' '.repeat(Math.max(0, (widths[index] ?? 0) - lengthOf(cell)));
    const column = columns[index];
    return column && valueKinds[column.kind].isNumber ? space + cell : cell + space;
  });
  return aligned.join('  ').trimEnd();
}

function isAligned({ kind }: Column): boolean {
  return valueKinds[kind].isBelow !== true;
}

function lengthOf(text: string): number {
  return [...text].length;
}
