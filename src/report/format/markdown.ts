import { renderHeading } from './heading.ts';
import { type Report, type ReportRow, showCell, titleOfColumn } from './report.ts';
import { onOneLine } from './shown-cell.ts';
import { valueKinds } from './value-kind.ts';

/** A report for a wiki, an issue or a mail, as a table of Markdown. */
export function renderMarkdown(report: Report): string {
  const { summary = [], columns, rows, totals, notes, period } = report;
  const above =
    summary.length > 0 ? [summary.map(text => escapeMarkdown(onOneLine(text))).join(' '), ''] : [];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  const show = (row: ReportRow) =>
    columns.map((column, index) => escapeMarkdown(showCell(row[index], column, period.timezone)));
  const foot = totals === undefined ? [] : [show(totals).map(cell => (cell === '' ? '' : `**${cell}**`))];
  const table = [
    line(columns.map(titleOfColumn)),
    line(columns.map(({ kind }) => (valueKinds[kind].isNumber ? '---:' : '---'))),
    ...[...rows.map(show), ...foot].map(line),
  ];
  const content = rows.length > 0 ? table : ['Nothing to report.'];
  const below = notes.length > 0 ? ['', ...notes.map(note => `- ${escapeMarkdown(onOneLine(note))}`)] : [];
  return `${[`### ${escapeMarkdown(renderHeading(report))}`, '', ...above, ...content, ...below].join('\n')}\n`;
}

/** Escapes the characters that have a meaning in Markdown or HTML. */
export function escapeMarkdown(text: string): string {
  return text.replace(/[\\`*_[\]<>|&#~]/g, character =>
    character === '<' ? '&lt;' : character === '>' ? '&gt;' : character === '&' ? '&amp;' : `\\${character}`,
  );
}
