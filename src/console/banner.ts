import { writeMaybeInstant } from './answer-field.ts';
import type { LiveState } from './live-state.ts';
import { html, type Markup } from './part/html.ts';
import { ago } from './part/instant.ts';

/** What concerns every page: said once, above its content; null where nothing does. */
export function drawBanner(live: LiveState): readonly (Markup | null)[] {
  return [standbyNotice(live), historiesNotice(live)];
}

/** Figures of a standby are those of another daemon. */
function standbyNotice({ now, succession }: LiveState): Markup | null {
  if (!succession?.isStandby) return null;
  return html`<p class="warn">This is a standby: it shows what the daemon that has the history wrote, as read ${ago(writeMaybeInstant(succession.shownAt), now)}.</p>`;
}

/** Histories that somebody else writes, if anyone does. */
function historiesNotice({ histories }: LiveState): Markup | null {
  if (histories === undefined) return null;
  const broken = histories.filter(({ problem }) => problem !== undefined).length;
  if (broken === 0) return null;
  const them = histories.length === 1 ? 'The history' : `${broken} of ${histories.length} histories`;
  return html`<p class="warn">${them} cannot be read: what is in ${broken === 1 ? 'it' : 'them'} is in no figure. <a href="/health">Health</a> says why.</p>`;
}
