import type { DrawContext } from '../../page.ts';
import { pathOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import type { OverviewAnswer, Trouble } from './overview-answer.ts';
import { drawSaving, drawSpending } from './spending-drawing.ts';

const urgency = { critical: 'urgent', warning: 'soon', info: 'going-on' };

export function drawOverview(answer: OverviewAnswer, { now }: DrawContext<unknown>): Markup {
  return html`<div class="overview"><div>${drawTroubles(answer, now)}${drawRunning(answer, now)}</div><div>${drawSpending(answer)}${drawSaving(answer)}</div></div>`;
}

/** Whether nothing was ever read of an account. */
function isUnread({ rests_on }: OverviewAnswer): boolean {
  return rests_on === null || rests_on.accounts.some(({ state }) => state === 'unread');
}

function drawTroubles(answer: OverviewAnswer, now: number): Markup {
  const title = 'What is wrong now';
  const { troubles } = answer;
  if (troubles.length === 0 && isUnread(answer)) return card({ title, detail: 'This is not known yet.' });
  if (troubles.length === 0) {
    return card({
      title,
      figure: 'Nothing',
      tone: 'good',
      detail:
        'No operation failed in the last 24 hours or is stuck, no budget is at risk, every API key is in use, and everything can be read.',
    });
  }
  return card({
    title,
    content: html`<ul class="troubles">${troubles.map(each => drawTrouble(each, now))}</ul>`,
  });
}

function drawTrouble({ severity, count, summary, href, examples }: Trouble, now: number): Markup {
  const rest = count - examples.length;
  return html`<li class=${urgency[severity]}><a href=${href}>${summary}</a>
<ul>${examples.map(example => drawExample(example, now))}${rest > 0 && html`<li>and <a href=${href}>${showNumber(rest)} more</a></li>`}</ul></li>`;
}

function drawExample({ text, href, detail, at }: Trouble['examples'][number], now: number): Markup {
  const name = shownName(text);
  const said = shownSentence(detail);
  return html`<li>${href === null ? name : html`<a href=${href}>${name}</a>`} <span class="detail">${said} ${at !== null && drawInstant(at, now)}</span></li>`;
}

/** An instant to come is told by its date. */
function drawInstant(at: string, now: number) {
  return Date.parse(at) > now ? html`<time datetime=${at}>${at.slice(0, 10)}</time>` : ago(at, now);
}

function drawRunning(answer: OverviewAnswer, now: number): Markup {
  const title = 'What runs now';
  const { projects, endpoints, states, active } = answer.running;
  if (endpoints === 0) {
    const none = isUnread(answer) ? 'This is not known yet.' : 'There are no endpoints.';
    return card({ title, href: '/projects', detail: none });
  }
  const byState = [...Map.groupBy(states, ({ state }) => state)].map(([state, each]) => ({
    state,
    count: each.reduce((sum, { endpoints }) => sum + endpoints, 0),
  }));
  const running = byState.find(({ state }) => state === 'active')?.count ?? 0;
  const others = byState.filter(({ state }) => state !== 'active');
  const rest = running - active.length;
  return card({
    title,
    href: '/projects?state=active',
    figure: `${showNumber(running)} of ${showNumber(endpoints)} endpoints active`,
    detail: html`${others.map(({ state, count }) => `${showNumber(count)} ${shownName(state)}, `)}in <a href="/projects">${showNumber(projects)} project${projects === 1 ? '' : 's'}</a>.${active.length > 0 && ' Those active for longest:'}`,
    content: html`<ul class="facts-list">${active.map(each => html`<li><a href=${pathOf('projects', each.account, each.project_id)}>${shownName(each.project_name || each.project_id)}</a> <span class="detail"><code>${shownName(each.endpoint_id)}</code> ${each.since !== null && html`for <time datetime=${each.since}>${showAge(now - Date.parse(each.since))}</time>`}</span></li>`)}${rest > 0 && html`<li><a href="/projects?state=active">${showNumber(rest)} more</a></li>`}</ul>`,
  });
}
