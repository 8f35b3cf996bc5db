import type { Block, Page, TableBlock } from './block.ts';
import { renderHeading } from './heading.ts';
import { type Report, type ReportRow, showCell, titleOfColumn } from './report.ts';
import { onOneLine } from './shown-cell.ts';
import { valueKinds } from './value-kind.ts';

/** A report for a wiki, an issue or a mail, as a table of Markdown. */
export function renderMarkdown(report: Report): string {
  const { summary = [], columns, rows, totals, notes, period } = report;
  const show = (row: ReportRow) =>
    columns.map((column, index) => showCell(row[index], column, period.timezone));
  const table: TableBlock = {
    ...{ kind: 'table', whenEmpty: 'Nothing to report.' },
    columns: columns.map(column => ({
      title: titleOfColumn(column),
      kind: valueKinds[column.kind].isNumber ? 'number' : 'text',
    })),
    rows: rows.map(row => ({ cells: show(row) })),
    ...(totals && { totals: show(totals) }),
  };
  const blocks: readonly Block[] = [table, { kind: 'list', sentences: notes }];
  return writeMarkdown({ title: renderHeading(report), lead: summary.join(' '), blocks }, 3);
}

/** @param level the depth of the heading of its title. */
export function writeMarkdown({ title, lead, blocks }: Page, level = 1): string {
  const parts = [
    [`${'#'.repeat(level)} ${show(title)}`],
    ...(lead === '' ? [] : [[show(lead)]]),
    ...blocks.flatMap(block => {
      const lines = linesOf(block);
      const head =
        'title' in block && block.title !== undefined ? [[`${'#'.repeat(level + 1)} ${block.title}`]] : [];
      return lines.length === 0 ? [] : [...head, lines];
    }),
  ];
  return `${parts.map(lines => lines.join('\n')).join('\n\n')}\n`;
}

function linesOf(block: Block): readonly string[] {
  switch (block.kind) {
    case 'figures':
      return block.figures.map(({ label, value, detail }) =>
        `- **${show(label)}: ${show(value)}** ${show(detail)}`.trimEnd(),
      );
    case 'table':
      return block.rows.length === 0 ? [block.whenEmpty] : linesOfTable(block);
    case 'items':
      return block.items.length === 0
        ? [block.whenEmpty]
        : block.items.map(({ name, id, value, sentences }) => {
            const which = id === undefined ? '' : ` (${show(id)})`;
            return `- **${show(name)}**${which}: ${[`${show(value)}.`, ...sentences.map(show)].join(' ')}`;
          });
    case 'list':
      return block.sentences.map(each => `- ${show(each)}`);
  }
}

/** The ids of projects have a column of their own. */
function linesOfTable({ columns, rows, totals }: TableBlock): readonly string[] {
  const hasIds = rows.some(({ project }) => project !== undefined);
  const line = ([name = '', ...cells]: readonly string[], id = '') =>
    `| ${[name, ...(hasIds ? [id] : []), ...cells].join(' | ')} |`;
  return [
    line(
      columns.map(({ title }) => show(title)),
      'id',
    ),
    line(
      columns.map(({ kind }) => (kind === 'text' ? '---' : '---:')),
      '---',
    ),
    ...rows.map(({ cells, project }) => line(cells.map(show), show(project?.project_id ?? ''))),
    ...(totals ? [line(totals.map(cell => (cell === '' ? '' : `**${show(cell)}**`)))] : []),
  ];
}

/** Names come from users: none breaks out of its line, or has a meaning in Markdown or HTML. */
function show(text: string): string {
  return onOneLine(text).replace(/[\\`*_[\]<>|&#~]/g, character =>
    character === '<' ? '&lt;' : character === '>' ? '&gt;' : character === '&' ? '&amp;' : `\\${character}`,
  );
}
