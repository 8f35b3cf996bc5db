import { type Content, html, type Markup } from './html.ts';

/** A box with a title and one thing in it. */
export function card(title: Content, content: Content): Markup {
  return html`<section class="card"><header><h2>${title}</h2></header><div class="in">${content}</div></section>`;
}
