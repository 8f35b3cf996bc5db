import { html, type Markup } from './html.ts';

/** Severity has a shape besides its colour: octagon, triangle, circle. */
const shapes = {
  crit: html`<path d="M5 .8h6L15.2 5v6L11 15.2H5L.8 11V5z" /><path class="fs" d="M7.1 4h1.8v5H7.1zM7.1 10.4h1.8v1.8H7.1z" />`,
  warn: html`<path d="M8 1.2 15.6 14.6H.4z" /><path class="fs" d="M7.2 6h1.6v4.4H7.2zM7.2 11.4h1.6V13H7.2z" />`,
  note: html`<path d="M8 .8A7.2 7.2 0 1 1 8 15.2 7.2 7.2 0 0 1 8 .8zm0 1.6A5.6 5.6 0 1 0 8 13.6 5.6 5.6 0 0 0 8 2.4z" /><path d="M7.2 7h1.6v5H7.2zM7.2 4.2h1.6v1.7H7.2z" />`,
  ok: html`<path d="M8 .8A7.2 7.2 0 1 1 8 15.2 7.2 7.2 0 0 1 8 .8z" /><path class="tk" d="m4.8 8.3 2.2 2.2 4.2-4.6" />`,
  find: html`<path d="M7 1.5a5.5 5.5 0 0 1 4.4 8.8l3.3 3.2-1.2 1.2-3.2-3.3A5.5 5.5 0 1 1 7 1.5zm0 1.6a3.9 3.9 0 1 0 0 7.8 3.9 3.9 0 0 0 0-7.8z" />`,
  theme: html`<path d="M8 1.2a6.8 6.8 0 1 1 0 13.6A6.8 6.8 0 0 1 8 1.2zm0 1.5v10.6A5.3 5.3 0 0 0 8 2.7z" />`,
  down: html`<path d="m4 6 4 4 4-4-1-1-3 3-3-3z" />`,
} satisfies Readonly<Record<string, Markup | readonly Markup[]>>;

type IconName = keyof typeof shapes;

/** Hatching says that something is not over, expected, or not known; a letter names its colour. */
const hatches = { hx: 'hd', hk: 'hk', hm: 'hm', hg: 'hg', hl: 'hl' };

/** An icon of every page's {@link iconSheet}; it says nothing that the words beside it do not. */
export function icon(name: IconName, tone = ''): Markup {
  return html`<svg class=${`i ${tone}`.trimEnd()} viewBox="0 0 16 16" aria-hidden="true"><use href=${`#${name}`} /></svg>`;
}

/** The icons and hatches that a page refers to. */
export function iconSheet(): Markup {
  return html`<svg class="defs" aria-hidden="true"><defs>${Object.entries(hatches).map(([id, name]) => html`<pattern id=${id} width="5" height="5" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><path class=${name} d="M0 0v5" /></pattern>`)}</defs>${Object.entries(shapes).map(([id, shape]) => html`<symbol id=${id} viewBox="0 0 16 16">${shape}</symbol>`)}</svg>`;
}
