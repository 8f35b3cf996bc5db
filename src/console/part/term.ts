import { type Content, html, type Markup } from './html.ts';
import { findWord, type WordId } from './word/word-list.ts';

/** A word as a link to what it means, which those who point at it read at once. */
export function term(id: WordId, text?: Content): Markup {
  const known = findWord(id);
  return html`<a class="term" href=${`/words#${id}`} title=${known?.meaning}>${text ?? known?.word}</a>`;
}

/** Words that come from an answer, such as kinds of findings: an explained word is a link. */
export function maybeTerm(id: string): Content {
  const text = id.replaceAll('_', ' ');
  return findWord(id) === undefined ? text : term(id as WordId, text);
}

/** The words that a page uses, for those who meet them for the first time. */
export function termList(ids: readonly WordId[]): Markup | null {
  if (ids.length === 0) return null;
  return html`<p>Words on this page: ${ids.map((id, index) => html`${index > 0 && ' · '}${term(id)}`)}</p>`;
}
