import { escapeHtml } from '../../http/content/plain-page.ts';
import type { Block, BlockRow, Page, TableBlock } from './block.ts';
import { capital, onOneLine } from './shown-cell.ts';

/** Light, dark, or printed with each page on paper of its own. */
const style = `:root {
  --ink: #1b2430; --soft: #5c6b7c; --line: #d9e0e8; --paper: #ffffff; --back: #f3f5f8; --accent: #2563eb; --warn: #b45309;
}
@media (prefers-color-scheme: dark) {
  :root { --ink: #e6ebf2; --soft: #9aa8b8; --line: #303b49; --paper: #18202b; --back: #10161e; --accent: #7aa7ff; --warn: #fbbf24; }
}
* { box-sizing: border-box; }
body { margin: 0; padding: 2rem 1rem; background: var(--back); color: var(--ink); font: 15px/1.5 system-ui, sans-serif; }
main { max-width: 60rem; margin: 0 auto 2rem; padding: 2rem 2.25rem; background: var(--paper); border: 1px solid var(--line); border-radius: 10px; }
header { border-bottom: 1px solid var(--line); margin-bottom: 1.5rem; }
h1 { margin: 0; font-size: 1.7rem; overflow-wrap: anywhere; }
header p { margin: .25rem 0 1rem; color: var(--soft); }
h2 { margin: 2rem 0 .6rem; font-size: 1.05rem; }
h3 { margin: 0; font-size: .95rem; display: flex; gap: .6rem; flex-wrap: wrap; align-items: baseline; }
h3 span { margin-left: auto; color: var(--accent); }
.figures { display: grid; grid-template-columns: repeat(auto-fit, minmax(11.5rem, 1fr)); gap: .75rem; margin: 0; }
.figures div { padding: .8rem 1rem; border: 1px solid var(--line); border-radius: 8px; }
dt { color: var(--soft); font-size: .85rem; }
dd { margin: 0; }
dd strong { display: block; font-size: 1.45rem; font-variant-numeric: tabular-nums; }
small { color: var(--soft); }
table { width: 100%; border-collapse: collapse; }
th { text-align: left; font-weight: 600; font-size: .85rem; color: var(--soft); }
th, td { padding: .45rem .5rem; border-bottom: 1px solid var(--line); vertical-align: top; }
.number { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
tfoot th, tfoot td { border-bottom: 0; color: var(--ink); font-size: 1rem; font-weight: 700; }
th.number { white-space: normal; }
.name { display: block; min-width: 11rem; overflow-wrap: anywhere; }
.name code { display: block; }
.wide { overflow-x: auto; }
code { color: var(--soft); font-size: .82rem; overflow-wrap: anywhere; }
.bar { display: block; height: 4px; margin-top: .3rem; border-radius: 2px; background: var(--accent); }
ul { margin: 0; padding-left: 1.2rem; }
.findings { list-style: none; padding: 0; }
.findings li { padding: .7rem 0; border-bottom: 1px solid var(--line); }
.findings p { margin: .2rem 0 0; }
.gaps ul { padding: .7rem 1rem .7rem 2rem; border-left: 4px solid var(--warn); background: var(--back); }
.notes { color: var(--soft); font-size: .88rem; }
@media (max-width: 40rem) {
  body { padding: 0; }
  main { padding: 1.25rem 1rem; border-width: 0 0 1px; border-radius: 0; }
}
@media print {
  :root { --ink: #000; --soft: #444; --line: #bbb; --paper: #fff; --back: #fff; --accent: #1d4ed8; --warn: #b45309; }
  body { padding: 0; font-size: 11pt; }
  main { max-width: none; margin: 0; padding: 0; border: 0; break-after: page; }
  main:last-child { break-after: auto; }
  tr, .findings li, .figures div { break-inside: avoid; }
  .bar { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
}`;

/** Pages as one file that needs nothing else: it can be mailed, printed and read in the dark. */
export function writeHtml(title: string, pages: readonly Page[]): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${show(title)}</title>
<style>
${style}
</style>
</head>
<body>
${pages.map(writePage).join('\n')}
</body>
</html>
`;
}

function writePage({ title, lead, blocks }: Page): string {
  return `<main>
<header>
<h1>${show(title)}</h1>
<p>${show(lead)}</p>
</header>
${blocks.map(writeBlock).join('\n')}
</main>`;
}

function writeBlock(block: Block): string {
  switch (block.kind) {
    case 'figures': {
      const figures = block.figures.map(
        ({ label, value, detail }) =>
          `<div><dt>${show(label)}</dt><dd><strong>${show(value)}</strong><small>${show(detail)}</small></dd></div>`,
      );
      return `<dl class="figures">\n${figures.join('\n')}\n</dl>`;
    }
    case 'table':
      return section(block.title, block.rows.length === 0 ? paragraph(block.whenEmpty) : writeTable(block));
    case 'items': {
      const items = block.items.map(
        ({ name, id, value, sentences }) =>
          `<li><h3>${show(name)}${writeId(id)}<span>${show(value)}</span></h3>${sentences.map(paragraph).join('')}</li>`,
      );
      const list = `<ul class="findings">\n${items.join('\n')}\n</ul>`;
      return section(block.title, items.length === 0 ? paragraph(block.whenEmpty) : list);
    }
    case 'list': {
      const { title, sentences, isWarning } = block;
      if (sentences.length === 0) return '';
      const items = sentences.map(text => `<li>${show(text)}</li>`);
      return section(title, `<ul>\n${items.join('\n')}\n</ul>`, ` class="${isWarning ? 'gaps' : 'notes'}"`);
    }
  }
}

function section(title = '', content: string, attributes = ''): string {
  return `<section${attributes}>\n<h2>${show(title)}</h2>\n${content}\n</section>`;
}

function paragraph(text: string): string {
  return `<p>${show(text)}</p>`;
}

function writeTable({ columns, rows, totals }: TableBlock): string {
  const cell = (tag: string, index: number, text: string) =>
    `<${tag}${columns[index]?.kind === 'text' ? '' : ' class="number"'}>${text}</${tag}>`;
  const head = columns.map(({ title }, index) => cell('th', index, show(capital(title))));
  const body = rows.map(row => {
    const cells = row.cells.map((text, index) => cell('td', index, index === 0 ? nameOf(row) : show(text)));
    return `<tr>${cells.join('')}</tr>`;
  });
  const foot = totals?.map((text, index) => cell(index === 0 ? 'th' : 'td', index, show(capital(text))));
  return `<div class="wide"><table>
<thead><tr>${head.join('')}</tr></thead>
<tbody>
${body.join('\n')}
</tbody>
${foot === undefined ? '' : `<tfoot><tr>${foot.join('')}</tr></tfoot>\n`}</table></div>`;
}

function nameOf({ cells: [name = ''], project, size }: BlockRow): string {
  const bar = size === undefined ? '' : `<span class="bar" style="width:${(100 * size).toFixed(1)}%"></span>`;
  return `<span class="name">${show(name)}${writeId(project?.project_id)}</span>${bar}`;
}

function writeId(id: string | undefined): string {
  return id === undefined ? '' : ` <code>${show(id)}</code>`;
}

/** Names come from users: none becomes markup, or breaks out of its line. */
function show(text: string): string {
  return escapeHtml(onOneLine(text));
}
