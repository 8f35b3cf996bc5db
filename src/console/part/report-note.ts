import { html, type Markup } from './html.ts';
import { onTap } from './on-tap.ts';
import { shownSentence } from './shown-text.ts';

/** Notes of a report: what is missing, and what its figures mean. */
export function reportNotes({
  missing,
  notes,
}: {
  readonly missing: readonly string[];
  readonly notes: readonly string[];
}): Markup | null {
  if (missing.length + notes.length === 0) return null;
  return html`<div class="notes">
${missing.length > 0 && html`<h2 id="missing">What is missing</h2><ul class="missing">${missing.map(each => html`<li>${shownSentence(each)}</li>`)}</ul>`}
${notes.length > 0 && onTap('How to read it', html`<h2 class="wd">How to read it</h2><ul>${notes.map(each => html`<li>${shownSentence(each)}</li>`)}</ul>`)}
</div>`;
}
