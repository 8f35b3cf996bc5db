import type { FindingPart, ProjectPart, ShowbackPage } from './showback-page.ts';
import { showbackStyle } from './showback-style.ts';
import { onOneLine } from './shown-cell.ts';

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
