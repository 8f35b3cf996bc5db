import type { FindingPart, ProjectPart, ShowbackPage } from './showback-page.ts';
import { onOneLine } from './shown-cell.ts';

/** The style of a show-back: light, dark, or printed with a page for each group. */
const showbackStyle = `:root {
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

/** Pages of groups as one file that needs nothing else: it can be mailed, printed and read in the dark. */
export function renderShowbackHtml(pages: readonly ShowbackPage[]): string {
  const title = pages.length === 1 ? `Costs of ${pages[0]?.group}` : 'Costs by group';
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${show(title)}</title>
<style>
${showbackStyle}
</style>
</head>
<body>
${pages.map(renderPage).join('\n')}
</body>
</html>
`;
}

function renderPage(page: ShowbackPage): string {
  const { group, period, currency, figures, parts, total } = page;
  return `<main>
<header>
<h1>${show(group)}</h1>
<p>${show(period)}, in ${show(currency)}</p>
</header>
<dl class="figures">
${figures
  .map(
    ({ label, value, detail }) =>
      `<div><dt>${show(label)}</dt><dd><strong>${show(value)}</strong><small>${show(detail)}</small></dd></div>`,
  )
  .join('\n')}
</dl>
<section>
<h2>What it is made of</h2>
<table>
<thead><tr><th>What</th><th class="number">Cost</th></tr></thead>
<tbody>
${parts.map(({ what, cost }) => `<tr><td>${show(what)}</td>${number(cost)}</tr>`).join('\n')}
</tbody>
<tfoot><tr><th>Total</th><td class="number">${show(total)}</td></tr></tfoot>
</table>
</section>
${renderProjects(page)}
${renderFindings(page.findings)}
${renderList('What is missing', page.gaps, 'gaps')}
${renderList('Notes', page.notes, 'notes')}
</main>`;
}

function renderProjects({ projects, costTitle, beforeTitle }: ShowbackPage): string {
  const rows = projects.map(renderProject).join('\n');
  const content =
    projects.length === 0
      ? '<p>No project of the group used compute.</p>'
      : `<div class="wide"><table>
<thead><tr><th>Project</th><th class="number">Compute hours</th><th class="number">${show(costTitle)}</th><th class="number">${show(beforeTitle)}</th><th class="number">Change</th></tr></thead>
<tbody>
${rows}
</tbody>
</table></div>`;
  return `<section>
<h2>Projects</h2>
${content}
</section>`;
}

function renderProject({ name, id, hours, cost, before, change, size }: ProjectPart): string {
  const code = id === undefined ? '' : ` <code>${show(id)}</code>`;
  const bar = `<span class="bar" style="width:${(100 * Math.max(0, Math.min(1, size))).toFixed(1)}%"></span>`;
  return `<tr><td><span class="name">${show(name)}${code}</span>${bar}</td>${[hours, cost, before, change].map(number).join('')}</tr>`;
}

function renderFindings(findings: readonly FindingPart[]): string {
  const items = findings.map(
    ({ project, endpoint, saves, evidence, advice }) =>
      `<li><h3>${show(project)}${endpoint === undefined ? '' : ` <code>${show(endpoint)}</code>`}<span>${show(saves)}</span></h3><p>${show(evidence)}</p><p>${show(advice)}</p></li>`,
  );
  const content =
    items.length === 0 ? '<p>Nothing was found.</p>' : `<ul class="findings">\n${items.join('\n')}\n</ul>`;
  return `<section>
<h2>What could be saved</h2>
${content}
</section>`;
}

function renderList(title: string, sentences: readonly string[], name: string): string {
  if (sentences.length === 0) return '';
  return `<section class="${name}">
<h2>${title}</h2>
<ul>
${sentences.map(text => `<li>${show(text)}</li>`).join('\n')}
</ul>
</section>`;
}

function number(text: string): string {
  return `<td class="number">${show(text)}</td>`;
}

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Names come from users: none becomes markup, or breaks out of its line. */
function show(text: string): string {
  return onOneLine(text).replace(/[&<>"']/g, character => entities[character] ?? '');
}
