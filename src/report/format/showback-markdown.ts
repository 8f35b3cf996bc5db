import { escapeMarkdown } from './markdown.ts';
import type { ShowbackPage } from './showback-page.ts';
import { onOneLine } from './shown-cell.ts';

/** Pages of groups one below the other, for a wiki, an issue or a mail. */
export function renderShowbackMarkdown(pages: readonly ShowbackPage[]): string {
  return pages.map(renderPage).join('\n');
}

function renderPage(page: ShowbackPage): string {
  const { group, period, currency, figures, parts, total, projects, costTitle, beforeTitle, findings } = page;
  const lines = [
    `# ${show(group)}`,
    '',
    `${show(period)}, in ${currency}`,
    '',
    ...figures.map(({ label, value, detail }) =>
      `- **${show(label)}: ${show(value)}** ${show(detail)}`.trimEnd(),
    ),
    '',
    '## What it is made of',
    '',
    ...table(['what', '*cost'], [...parts.map(({ what, cost }) => [what, cost]), ['total', total]]),
    '',
    '## Projects',
    '',
    ...(projects.length === 0
      ? ['No project of the group used compute.']
      : table(
          [
            'project',
            'id',
            '*compute hours',
            `*${costTitle.toLowerCase()}`,
            `*${beforeTitle.toLowerCase()}`,
            '*change',
          ],
          projects.map(({ name, id = '', hours, cost, before, change }) => [
            name,
            id,
            hours,
            cost,
            before,
            change,
          ]),
        )),
    '',
    '## What could be saved',
    '',
    ...(findings.length === 0
      ? ['Nothing was found.']
      : findings.map(
          ({ project, endpoint, saves, evidence, advice }) =>
            `- **${show(project)}**${endpoint === undefined ? '' : ` (${show(endpoint)})`}: ${show(saves)}. ${show(evidence)} ${show(advice)}`,
        )),
    ...listBelow('What is missing', page.gaps),
    ...listBelow('Notes', page.notes),
  ];
  return `${lines.join('\n')}\n`;
}

function listBelow(title: string, sentences: readonly string[]): string[] {
  return sentences.length === 0 ? [] : ['', `## ${title}`, '', ...sentences.map(text => `- ${show(text)}`)];
}

/** @param titles those of numbers begin with a star. */
function table(titles: readonly string[], rows: readonly (readonly string[])[]): string[] {
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(titles.map(title => show(title.replace(/^\*/, '')))),
    line(titles.map(title => (title.startsWith('*') ? '---:' : '---'))),
    ...rows.map(cells => line(cells.map(show))),
  ];
}

function show(text: string): string {
  return escapeMarkdown(onOneLine(text));
}
