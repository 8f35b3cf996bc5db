import type { RestsOn } from '../progress.ts';
import { html, type Markup } from './html.ts';
import { shownSentence } from './shown-text.ts';

/** What is in the way of figures; nothing where they rest on all there is. */
export function drawProgress({ accounts }: RestsOn): Markup | null {
  const told = accounts.filter(({ summary }) => summary !== '');
  if (told.length === 0) return null;
  return html`<div class="wait">${told.map(
    ({ state, projects, projects_left, summary }) =>
      html`${state === 'importing' && projects_left > 0 && html`<progress aria-label="Read of the past" max=${projects} value=${projects - projects_left}></progress>`}<p>${shownSentence(summary)}</p>`,
  )}</div>`;
}
