import { type Content, html, type Markup } from './html.ts';

interface CardFrame {
  readonly id?: string;
  readonly name?: string;
  /** Stands after the title. */
  readonly beside?: Content;
  /** Stands at the other end of the head. */
  readonly end?: Content;
  /** Secondary: closed where the window is narrow, unless it `isOpen`. */
  readonly isFolded?: boolean;
  readonly isOpen?: boolean;
}

/** A box with a title; what is in it comes to its edges, as tables and lists do. */
export function card(title: Content, content: Content, frame: CardFrame = {}): Markup {
  const { id, name = '', beside, end, isFolded = false, isOpen = false } = frame;
  const foot = end && html`<span class="end">${end}</span>`;
  // The summary of a fold is a control: links stand beside it.
  return isFolded
    ? html`<details class=${`card folded ${name}`.trimEnd()} id=${id} open=${isOpen}><summary><h2>${title}</h2></summary>${foot}${content}</details>`
    : html`<section class=${`card ${name}`.trimEnd()} id=${id}><header><h2>${title}</h2>${beside}${foot}</header>${content}</section>`;
}

/** The same with texts in it, which keep their distance from its edges. */
export function textCard(title: Content, content: Content, frame?: CardFrame): Markup {
  return card(title, html`<div class="in">${content}</div>`, frame);
}
