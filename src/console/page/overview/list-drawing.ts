import { dayMs } from '../../../resources/duration.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { card, textCard } from '../../part/card.ts';
import { largestOf, smallestOf } from '../../part/chart/scale.ts';
import { shortDay } from '../../part/chart/step.ts';
import { countOf } from '../../part/count-word.ts';
import { html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { ago, clock, dayAndTime, showAge } from '../../part/instant.ts';
import { showMore, showNumber } from '../../part/number.ts';
import { onTap } from '../../part/on-tap.ts';
import { type ShownSaving, showSaving } from '../../part/saving.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import type { OverviewAnswer, Running, Saving, Trouble } from './overview-answer.ts';
import { isUnread, isUnreadTrouble, type OverviewContext, sayAwaited } from './overview-state.ts';
import { awakeOf } from './tile-drawing.ts';

/** Pixels that the longest bar of a list is wide. */
const barWidth = 96;

/** What made the largest differences to the period before, to both sides of a line. */
export function drawMoves(answer: OverviewAnswer): Markup | null {
  const { spending } = answer;
  const title = 'What moved most';
  if (spending === null) return textCard(title, html`<p class="m">${sayAwaited(answer)}</p>`);
  const { moves, currency, before } = spending;
  // What was spent says that there is nothing to compare it with.
  if (moves === null || before === null) return null;
  const values = moves.largest.map(({ difference }) => Number(difference));
  const [least, most] = [smallestOf([0, ...values]), largestOf([0, ...values])];
  const scale = barWidth / (most - least || 1);
  const sum = `${showMore(before.difference, currency)} in all`;
  return card(
    title,
    html`<ul class="rows">${moves.largest.map(each => {
      const value = Number(each.difference);
      const name = shownName(each.project_name ?? each.cause);
      return html`<li><span class="t"><b>${each.project_id === null ? name : html`<a href=${pathOf('projects', each.account ?? '', each.project_id)}>${name}</a>`}</b> <span class="s">${shownSentence(each.detail)}</span></span>${drawBar(-least * scale, value * scale)}<span class="r">${showMore(each.difference, currency)}</span></li>`;
    })}
${moves.others > 0 && html`<li class="two"><span class="t">${countOf(moves.others, 'smaller cause')}</span><span class="r">${showMore(moves.others_difference, currency)}</span></li>`}</ul>`,
    { end: html`${sum} · <a class="a" href=${addressOf('/cost/why', { period: 'billing' })}>why</a>` },
  );
}

/** A bar from a line to its left or right: the side says which way, so that no colour need. */
function drawBar(zero: number, length: number): Markup {
  const x = Math.min(zero, zero + length);
  return html`<svg width=${barWidth} height="14" aria-hidden="true"><rect class="fd" x=${x.toFixed(1)} y="3" width=${Math.abs(length).toFixed(1)} height="8" rx="1.5" /><path class="ax" d=${`M${zero.toFixed(1)} 0v14`} /></svg>`;
}

/** What would save most: likely is solid, at most is hatched, and the two are never added up. */
export function drawSaving({ saving, rests_on }: OverviewAnswer): Markup {
  if (saving === null || saving.findings === 0) {
    const said =
      saving !== null
        ? 'Nothing was found that endpoints might not need.'
        : rests_on?.is_whole === false
          ? 'This is not known yet.'
          : 'Findings are being looked for.';
    return textCard('What can be saved', html`<p class="m">${said}</p>`);
  }
  const { costliest, currency, findings } = saving;
  const longest = largestOf(costliest.flatMap(each => sizeOf(each))) || 1;
  const rest = findings - costliest.length;
  const key = html`<span class="key"><span><svg viewBox="0 0 16 10" aria-hidden="true"><rect class="fg" width="16" height="10" rx="2" /></svg>likely</span><span><svg viewBox="0 0 16 10" aria-hidden="true"><rect width="16" height="10" rx="2" fill="url(#hg)" /></svg>at most, a month</span></span>`;
  return card(
    'What can be saved',
    html`<ul class="rows sv">${costliest.map(each => {
      const [likely, most] = sizeOf(each);
      const name = shownName(each.project_name ?? each.project_id);
      return html`<li><span class="t"><b><a href=${pathOf('projects', each.account, each.project_id)}>${name}</a></b> <span class="s">${each.kind.replaceAll('_', ' ')}</span></span><svg width=${barWidth} height="14" aria-hidden="true">${most > likely && html`<rect fill="url(#hg)" y="3" width=${((most / longest) * barWidth).toFixed(1)} height="8" rx="1.5" />`}<rect class="fg" y="3" width=${((likely / longest) * barWidth).toFixed(1)} height="8" rx="1.5" /></svg><span class="r">${saySaved(showSaving(each, currency))}</span></li>`;
    })}
${rest > 0 && html`<li class="two"><span class="t"><a href="/findings">${countOf(rest, 'more finding')}</a></span></li>`}</ul>`,
    { end: key },
  );
}

function sizeOf(saving: Saving['costliest'][number]): readonly [likely: number, most: number] {
  const { cost_per_month, most_cost_per_month, compute_hours_per_month, most_compute_hours_per_month } =
    saving;
  return most_cost_per_month === null
    ? [Number(compute_hours_per_month ?? 0), Number(most_compute_hours_per_month ?? 0)]
    : [Number(cost_per_month ?? 0), Number(most_cost_per_month)];
}

function saySaved({ likely, most }: ShownSaving): Markup | string {
  // There is little room: hours are the unit of all else here, too.
  const [sure, bound] = [likely, most].map(each => each?.replace(/ hours$/, ' h'));
  if (sure !== undefined) return sure;
  return bound === undefined ? 'not known' : html`<span class="s">at most</span> ${bound}`;
}

/** More endpoints than these are a bar, and not a square each. */
const mostSquares = 72;

/** What runs, those awake for longest first. */
export function drawRunning(answer: OverviewAnswer, { now, staleAt }: OverviewContext): Markup {
  const { projects, endpoints, states, active_projects, active } = answer.running;
  const awake = awakeOf(states);
  if (endpoints === 0) {
    const none = isUnread(answer) ? 'This is not known yet.' : 'There are no endpoints.';
    return textCard('What runs', html`<p class="m">${none}</p>`);
  }
  const rest = active_projects - active.length;
  const end = html`<a href="/projects?state=active">${showNumber(awake)} of ${countOf(endpoints, 'endpoint')}</a> awake, in <a href="/projects">${countOf(projects, 'project')}</a>`;
  return card(
    staleAt === null ? 'What runs' : html`What ran at ${clock(staleAt, now)}`,
    html`<div class="in">${drawSquares(awake, endpoints)}</div>
${onTap(
  'Awake for longest',
  html`<ul class="rows">${active.map(each => drawActive(each, staleAt === null ? now : Date.parse(staleAt)))}
${rest > 0 && html`<li class="two"><span class="t"><a href="/projects?state=active">${countOf(rest, 'more project')}</a></span></li>`}</ul>`,
)}`,
    { end },
  );
}

function drawActive(
  { account, project_id, project_name, endpoint_id, since, max_cu, others }: Running['active'][number],
  now: number,
) {
  const size = max_cu === null ? [] : [`${showNumber(max_cu, 2)} CU`];
  const began =
    since === null
      ? []
      : [`since ${now - Date.parse(since) < dayMs ? since.slice(11, 16) : shortDay(since)}`];
  return html`<li class="two"><span class="t"><b><a href=${pathOf('projects', account, project_id)} title=${shownName(endpoint_id)}>${shownName(project_name || project_id)}</a></b> <span class="s">${[...size, ...began, ...(others === 0 ? [] : [`and ${showNumber(others)} more`])].join(', ')}</span></span><span class="r">${since !== null && html`<time datetime=${since}>${showAge(now - Date.parse(since))}</time>`}</span></li>`;
}

function drawSquares(awake: number, endpoints: number): Markup {
  const label = `${awake} of ${endpoints} endpoints are awake`;
  if (endpoints > mostSquares)
    return html`<svg class="squares" role="img" aria-label=${label}><rect class="fsu" width="100%" height="14" rx="2" /><rect class="fd" width=${`${((100 * awake) / endpoints).toFixed(2)}%`} height="14" rx="2" /></svg>`;
  const wide = 400 / endpoints;
  const square = (index: number) =>
    `M${(index * wide).toFixed(1)} 0h${(0.72 * wide).toFixed(1)}v14h-${(0.72 * wide).toFixed(1)}z`;
  const path = (from: number, until: number) =>
    Array.from({ length: until - from }, (_, index) => square(from + index)).join('');
  return html`<svg class="squares" viewBox="0 0 400 14" preserveAspectRatio="none" role="img" aria-label=${label}><path class="fl" d=${path(awake, endpoints)} /><path class="fd" d=${path(0, awake)} /></svg>`;
}

/** Troubles that are seen at once. */
const mostShown = 4;

/** The list of what is wrong now, the worst first: since when, whom it touches, and what to do. */
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
  { severity, headline, href, when, action, names, more_names }: Trouble,
  now: number,
): Markup {
  const [shape, tone] = shapes[severity];
  // A date has a comma of its own.
  const between = names.some(({ at }) => at !== null) ? '; ' : ', ';
  return html`<li>${icon(shape, tone)}<div><h3><a href=${href}>${shownSentence(headline)}</a></h3>
<p class="who">${names.map((each, index) => html`${index > 0 && between}${drawName(each)}`)}${more_names > 0 && ` and ${showNumber(more_names)} more`}</p></div>
<div class="side">${when !== null && drawWhen(when, now)}<a class="btn sm" href=${action.href}>${action.label}</a></div></li>`;
}

function drawName({ text, href, detail, at }: Trouble['names'][number]): Markup {
  const name = shownName(text);
  return html`${href === null ? html`<b>${name}</b>` : html`<a href=${href}>${name}</a>`}${detail !== '' && ` ${shownSentence(detail)}`}${at !== null && html` ${dayAndTime(at)}`}`;
}

function drawWhen({ word, at }: NonNullable<Trouble['when']>, now: number): Markup {
  if (word === 'on') return html`<span>${dayAndTime(at)}</span>`;
  if (word === 'last') return html`<span>last ${ago(at, now)}</span>`;
  return html`<span>for <time datetime=${at}>${showAge(now - Date.parse(at))}</time></span>`;
}
