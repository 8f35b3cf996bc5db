import { createHash } from 'node:crypto';

const style = `
:root { color-scheme: light dark; }
body { font: 16px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 60rem; padding: 0 1rem; }
a { color: light-dark(#0b6e4f, #5fcfa4); }
table { border-collapse: collapse; width: 100%; }
caption { text-align: left; font-weight: 600; padding: 1rem 0 .25rem; }
th, td { text-align: left; padding: .3rem .8rem .3rem 0; border-bottom: 1px solid #8888; }
th.count, td.count { text-align: right; font-variant-numeric: tabular-nums; }
.failing { color: light-dark(#b00020, #ff8a80); font-weight: 600; }
`;

/** Nothing is loaded and nothing runs; the one style is known by its digest. */
export const plainPagePolicy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * A page that needs nothing else: plain HTML without scripts.
 *
 * @param title a text.
 * @param body markup.
 */
export function renderPlainPage(title: string, body: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body>
${body}
</body>
</html>
`;
}

/** A page that says why there is no other one, with a way back. */
export function renderRefusal(status: number, line: string): string {
  const title = titles[status] ?? 'This cannot be answered';
  return renderPlainPage(
    `${title} · dbpm-exporter`,
    `<main>
<h1>${title}</h1>
<p>${escapeHtml(line)}</p>
<p><a href="/">To the first page</a></p>
</main>`,
  );
}

const titles: Readonly<Record<number, string>> = {
  404: 'There is no such page',
  405: 'This cannot be asked for',
  500: 'The answer could not be made',
  503: 'The page cannot be shown now',
};

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, found => entities[found] ?? found);
}
