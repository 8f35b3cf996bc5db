import { type Content, html, type Markup } from './html.ts';

export interface CardOptions {
  readonly title: Content;
  /** The page that shows more of it. */
  readonly href?: string;
  /** The figure that is read first; absent where the content says all. */
  readonly figure?: Content;
  readonly detail?: Content;
  /** Below both. */
  readonly content?: Content;
  /** How it is: colours the figure. */
  readonly tone?: 'good' | 'warn' | 'bad';
}

/** A box with one thing in it: a title that leads on, a figure, and what it means. */
export function card({ title, href, figure, detail, content, tone }: CardOptions): Markup {
  const figureClass = tone === undefined ? 'figure' : `figure ${tone}`;
  return html`<section class="card"><header><h2>${href === undefined ? title : html`<a href=${href}>${title}</a>`}</h2></header><div class="in">
${figure !== undefined && html`<p class=${figureClass}>${figure}</p>`}
${detail !== undefined && html`<p class="detail">${detail}</p>`}
${content}</div></section>`;
}
