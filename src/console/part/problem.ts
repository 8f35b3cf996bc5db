import type { PageProblem } from '../page-problem.ts';
import { html, type Markup } from './html.ts';

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
${possible.length > 0 && html`<p>Possible are:</p><ul>${possible.map(each => html`<li>${each.startsWith('/') ? html`<a href=${each}>${titleOf(each) ?? each}</a>` : each}</li>`)}</ul>`}
<p><a href=${back}>Back to ${back === '/' ? 'the overview' : titleOf(back)}</a></p></div>`;
}
