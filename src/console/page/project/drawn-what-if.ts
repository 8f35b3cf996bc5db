import type { DrawContext } from '../../page.ts';
import { card } from '../../part/card.ts';
import { html, type Markup } from '../../part/html.ts';
import { showAge } from '../../part/instant.ts';
import { showDecimal, showHours, showMoney } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { term } from '../../part/term.ts';
import type { ProjectAnswer, ProjectQuery } from './project-schema.ts';
import type { WhatIfAnswer } from './what-if-answer.ts';

type ReplayedEndpoint = WhatIfAnswer['endpoints'][number];

/** A form that asks what other settings would have saved, and the answer. */
export function drawWhatIf({ what_if }: ProjectAnswer, { path, query }: DrawContext<ProjectQuery>): Markup {
  const { account: _account, project_id: _id, cursor: _cursor, suspend_after, min_cu, ...kept } = query;
  const hidden = Object.entries(kept).filter(([, value]) => value !== '');
  return card(
    'What if?',
    html`<div class="in">
<p>What another ${term('suspend_delay')} or smallest size in ${term('compute_unit')} would have saved, by replaying the last 30 days of each endpoint. Write one of them, or both.</p>
<form class="filter" method="get" action=${`${path}#what-if`} aria-label="Other settings">
<label>Suspend after (seconds)<input type="number" name="suspend_after" value=${suspend_after} placeholder="such as 60" min="0" max="604800" step="1" inputmode="numeric" /></label>
<label>Smallest size (CU)<input type="number" name="min_cu" value=${min_cu} placeholder="such as 1" min="0" max="56" step="0.25" inputmode="decimal" /></label>
${hidden.map(([name, value]) => html`<input type="hidden" name=${name} value=${value} />`)}
<button class="btn" type="submit">Replay</button></form></div>
${what_if !== null && drawReplayed(what_if)}`,
    { id: 'what-if', isFolded: true, isOpen: what_if !== null },
  );
}

function drawReplayed({ endpoints, currency, pending, notes }: WhatIfAnswer): Markup {
  if (pending) return html`<p class="in notes">It is being worked out: it is here in a moment.</p>`;
  const money = (cost: string | null) => showMoney(cost, currency);
  return html`${table({
    caption: 'What other settings would have saved in 30 days',
    whenEmpty: 'It has no endpoint.',
    rows: endpoints,
    columns: [
      { title: 'Endpoint', show: ({ endpoint_id }) => html`<code>${shownName(endpoint_id)}</code>` },
      { number: 'Suspends now after', show: each => showDelay(each) },
      { number: 'Smallest size now', show: ({ min_cu }) => (min_cu === null ? '' : `${min_cu} CU`) },
      { number: 'Uses in 30 days', show: each => showHours(each.used_hours_per_month) },
      { number: 'Likely saves (hours)', show: each => showHours(each.saved_hours_per_month) },
      { number: 'At most (hours)', show: each => showHours(each.most_saved_hours_per_month) },
      currency !== null && { number: 'Likely saves', show: each => money(each.saved_cost_per_month) },
      currency !== null && { number: 'At most', show: each => money(each.most_saved_cost_per_month) },
      { number: 'More wakes a day', show: each => showDecimal(each.more_wakes_per_day) || 'not known' },
    ],
  })}
<ul class="in notes">${notes.map(note => html`<li>${note}</li>`)}</ul>`;
}

function showDelay({ suspend_delay_seconds: seconds }: ReplayedEndpoint): string {
  return seconds === null ? 'not known' : showAge(seconds * 1000);
}
