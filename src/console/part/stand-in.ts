import type { PageProblem, PossibleAddress } from '../page-problem.ts';
import type { RestsOn } from '../progress.ts';
import { type Content, html, type Markup } from './html.ts';

/** Stands in for a page that is still being worked out. */
export function drawWait(): Markup {
  return html`<div class="wait"><progress aria-label="Being worked out"></progress>
<p><strong>This is being worked out.</strong> Of a large fleet it can take a minute or two the first time. The page comes by itself as soon as it is there, and it is quick from then on.</p></div>`;
}

/** Stands in for figures that would rest on a part of the past. */
export function drawHeldBack({ accounts }: RestsOn): Markup {
  const isImporting = accounts.some(({ state }) => state === 'importing');
  return html`<p class="m">${isImporting ? 'This is held back until the past is read: a part of it would mislead. The page then comes by itself.' : 'Nothing was read yet.'}</p>`;
}

/**
 * A problem as a page, with a way back.
 *
 * @param titleOf the title of the page at an address; undefined where there is none.
 * @param back the address that leads back.
 */
export function drawProblem(
  { message, possible }: PageProblem,
  titleOf: (address: string) => string | undefined,
  back = '/',
): Markup {
  return html`<div class="problem"><p>${message}</p>
${possible.length > 0 && html`<p>Possible are:</p><ul>${possible.map(each => html`<li>${drawPossible(each, titleOf)}</li>`)}</ul>`}
<p><a href=${back}>Back to ${back === '/' ? 'the overview' : titleOf(back)}</a></p></div>`;
}

function drawPossible(
  possible: string | PossibleAddress,
  titleOf: (address: string) => string | undefined,
): Content {
  if (typeof possible !== 'string') return html`<a href=${possible.address}>${possible.words}</a>`;
  return possible.startsWith('/') ? html`<a href=${possible}>${titleOf(possible) ?? possible}</a>` : possible;
}
