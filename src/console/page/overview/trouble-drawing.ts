import { card } from '../../part/card.ts';
import { html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { ago, clock, dayAndTime, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import type { OverviewAnswer, Trouble } from './overview-answer.ts';
import { isUnread, isUnreadTrouble, type OverviewContext } from './overview-state.ts';

/** Troubles that are seen at once. */
const mostShown = 4;

/** What is wrong now as one list, the worst first: since when, whom it touches, and what to do. */
export function drawTroubles(answer: OverviewAnswer, { now, staleAt }: OverviewContext): Markup {
  // The banner says why nothing is read.
  const troubles = answer.troubles.filter(each => staleAt === null || !isUnreadTrouble(each));
  const shown = troubles.slice(0, mostShown);
  const rest = troubles.slice(mostShown);
  const title = staleAt === null ? 'What is wrong now' : html`What was wrong at ${clock(staleAt, now)}`;
  return card(
    title,
    html`${troubles.length === 0 && drawNothing(answer)}
<ul class="probs">${shown.map(each => drawTrouble(each, now))}</ul>
${rest.length > 0 && html`<details class="more"><summary>${showNumber(rest.length)} more</summary><ul class="probs">${rest.map(each => drawTrouble(each, now))}</ul></details>`}`,
    { end: sayOrder(troubles.length, staleAt) },
  );
}

function sayOrder(count: number, staleAt: string | null): string | null {
  if (staleAt !== null) return 'may be over, may be worse';
  return count > 1 ? 'worst first' : null;
}

function drawNothing(answer: OverviewAnswer): Markup {
  if (isUnread(answer)) return html`<div class="in"><p class="m">This is not known yet.</p></div>`;
  return html`<div class="in"><p>${icon('ok', 'good')} <b>Nothing.</b></p><p class="m">No operation failed in the last 24 hours or is stuck, no budget is at risk, every API key is in use, and everything can be read.</p></div>`;
}

const shapes = {
  critical: ['crit', 'crit'],
  warning: ['warn', 'warn'],
  info: ['note', 'm'],
} as const;

function drawTrouble(
  { severity, count, headline, href, when, action, examples }: Trouble,
  now: number,
): Markup {
  const [shape, tone] = shapes[severity];
  const rest = count - examples.length;
  return html`<li>${icon(shape, tone)}<div><h3><a href=${href}>${shownSentence(headline)}</a></h3>
<p class="who">${examples.map((each, index) => html`${index > 0 && ', '}${drawExample(each, now)}`)}${rest > 0 && ` and ${showNumber(rest)} more`}</p></div>
<div class="side">${when !== null && drawWhen(when, now)}<a class="btn sm" href=${action.href}>${action.label}</a></div></li>`;
}

function drawExample({ text, href, detail, at }: Trouble['examples'][number], now: number): Markup {
  const name = shownName(text);
  return html`${href === null ? html`<b>${name}</b>` : html`<a href=${href}>${name}</a>`} <span>${shownSentence(detail)}${at !== null && html` ${drawInstant(at, now)}`}</span>`;
}

/** An instant to come is told by its date. */
function drawInstant(at: string, now: number): Markup | string {
  return Date.parse(at) > now ? dayAndTime(at) : ago(at, now);
}

function drawWhen({ word, at }: NonNullable<Trouble['when']>, now: number): Markup {
  if (word === 'on') return html`<span>${dayAndTime(at)}</span>`;
  if (word === 'last') return html`<span>last ${ago(at, now)}</span>`;
  return html`<span>for <time datetime=${at}>${showAge(now - Date.parse(at))}</time></span>`;
}
