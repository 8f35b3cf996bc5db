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
  const maybe = (text: string | null, show: (text: string) => string = showHours) =>
    text === null ? '' : show(text);
  return html`${table({
    caption: 'What other settings would have saved in 30 days',
    whenEmpty: 'It has no endpoint.',
    rows: endpoints,
    columns: [
      { title: 'Endpoint', show: ({ endpoint_id }) => html`<code>${shownName(endpoint_id)}</code>` },
      { title: 'Suspends now after', isNumber: true, show: each => showDelay(each) },
      {
        title: 'Smallest size now',
        isNumber: true,
        show: ({ min_cu }) => (min_cu === null ? '' : `${min_cu} CU`),
      },
      { title: 'Uses in 30 days', isNumber: true, show: each => maybe(each.used_hours_per_month) },
      {
        title: 'Likely saves (hours)',
        isNumber: true,
        show: each => maybe(each.saved_hours_per_month),
      },
      {
        title: 'At most (hours)',
        isNumber: true,
        show: each => maybe(each.most_saved_hours_per_month),
      },
      ...(currency === null
        ? []
        : [
            {
              title: 'Likely saves',
              isNumber: true,
              show: (each: ReplayedEndpoint) =>
                maybe(each.saved_cost_per_month, cost => showMoney(cost, currency)),
            },
            {
              title: 'At most',
              isNumber: true,
              show: (each: ReplayedEndpoint) =>
                maybe(each.most_saved_cost_per_month, cost => showMoney(cost, currency)),
            },
          ]),
      {
        title: 'More wakes a day',
        isNumber: true,
        show: ({ more_wakes_per_day: more }) => (more === null ? 'not known' : showDecimal(more)),
      },
    ],
  })}
<ul class="in notes">${notes.map(note => html`<li>${note}</li>`)}</ul>`;
}

function showDelay({ suspend_delay_seconds: seconds }: ReplayedEndpoint): string {
  return seconds === null ? 'not known' : showAge(seconds * 1000);
}
