import { type Content, html, type Markup } from './html.ts';

/** What a tap opens where the window is narrow; elsewhere, and on paper, it is in sight. */
export function onTap(words: Content, content: Content): Markup {
  return html`<details class="ph"><summary>${words}</summary></details><div class="rest">${content}</div>`;
}
