import type { DrawContext } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { costHint } from '../../part/cost-hint.ts';
import { filterForm } from '../../part/filter-form.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { showDecimal, showMoney } from '../../part/number.ts';
import { periodName } from '../../part/period-name.ts';
import { periodText } from '../../part/period-text.ts';
import { reportNotes } from '../../part/report-note.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import type { WhyAnswer, WhyCause, WhyQuery, WhyReport } from './why-answer.ts';

export function drawWhy({ has_prices, why }: WhyAnswer, { path, query }: DrawContext<WhyQuery>): Markup {
  if (why === null) return costHint(has_prices);
  return html`${filterForm({
    label: 'Which periods',
    path,
    fields: [
      {
        name: 'against',
        label: 'Compared with',
        value: query.against,
        usual: query.against,
        hint: 'the one before',
      },
    ],
    kept: { period: query.period, account: query.account },
  })}
${drawCards(why)}
${sayUnknown(why)}
${why.comparable && why.summary.length > 0 && html`<h2>In words</h2><ul class="summary">${why.summary.map(each => html`<li>${shownSentence(namePeriods(each, why))}</li>`)}</ul>`}
<h2>${why.comparable ? 'Causes' : 'What is known of the period'}</h2>
${drawCauses(why, why.comparable)}
<p class="ways">All causes as <a href=${file(why, query, 'csv')} download>CSV</a> or <a href=${file(why, query, 'json')} download>JSON</a></p>
${reportNotes(why)}`;
}

function file({ period }: WhyReport, { against, account }: WhyQuery, format: string): string {
  return addressOf('/reports/why', { period: period.label, against, account, format });
}

/** A sentence of the report with its periods as people say them. */
function namePeriods(sentence: string, { period, against }: WhyReport): string {
  return sentence
    .replace(` in ${against.label}`, ` in ${periodName(against.label)}`)
    .replace(` in ${period.label} `, ` in ${periodName(period.label)} `);
}

/** Why the difference is not wholly a difference, where it is not. */
function sayUnknown(why: WhyReport): Markup | null {
  if (why.missing.length === 0) return null;
  const more = html`<a href="#missing">What is missing</a>: ${shownSentence(why.missing[0] ?? '')}`;
  return why.comparable
    ? html`<p class="warn">The difference is not wholly known. ${more}</p>`
    : html`<p class="warn">Too little is known of the period before: there is nothing to compare with. ${more}</p>`;
}

function drawCards(why: WhyReport): Markup {
  const { period, against, cost, cost_before, difference, currency, comparable: isKnown } = why;
  const money = (decimal: string) => showMoney(decimal, currency);
  const isMore = difference !== null && Number(difference) > 0;
  return html`<div class="cards">
${card({ title: 'Compared with', figure: isKnown ? money(cost_before) : 'not known', detail: periodText(against) })}
${card({ title: 'Cost of the period', figure: money(cost), detail: periodText(period) })}
${isKnown && difference !== null && card({ title: 'Difference', figure: `${isMore ? '+' : ''}${money(difference)}`, tone: isMore ? 'warn' : 'good' })}
</div>`;
}

function drawCauses({ causes, currency, difference, compute_hours }: WhyReport, isCompared: boolean): Markup {
  const money = (decimal: string | null) => (decimal === null ? '' : showMoney(decimal, currency));
  const hours = (decimal: string | null) => (decimal === null ? '' : showDecimal(decimal));
  return table({
    caption: isCompared
      ? 'Causes of the difference; those of a higher level are parts of the one above them'
      : 'What the period cost, the dearest first',
    whenEmpty: 'Nothing changed, as far as is known.',
    isStacked: true,
    rows: causes,
    columns: [
      { title: isCompared ? 'Cause' : 'What', show: each => nameOf(each, isCompared) },
      {
        title: isCompared ? 'Difference' : 'Cost',
        isNumber: true,
        show: each => (each.difference === null ? (each.no_difference ?? '') : money(each.difference)),
      },
      {
        title: 'Compute hours',
        word: 'compute_hour',
        isNumber: true,
        show: each => hours(each.compute_hours),
      },
      {
        title: 'Awake hours',
        word: 'awake',
        isNumber: true,
        isSparse: true,
        show: ({ awake_hours }) => hours(awake_hours),
      },
      { title: 'Since', isSparse: true, show: ({ since }) => instant(since) },
      { title: 'Until', isSparse: true, show: ({ until }) => instant(until) },
    ],
    totals: ['total', money(difference), hours(compute_hours), '', '', ''],
  });
}

/** @param isCompared whether there is a period before, in which a project can have been missing. */
function nameOf(
  { level, kind, cause, account, project_id, project_name, endpoint_id, evidence }: WhyCause,
  isCompared: boolean,
): Content {
  const isFirst = !isCompared && kind === 'new_project';
  const shown = shownName(isFirst ? (project_name ?? project_id ?? cause) : cause);
  const isProject = account !== null && project_id !== null && endpoint_id === null && level === 1;
  return html`<div class=${`level-${Math.min(level, 4)}`}>${isProject ? html`<a href=${pathOf('projects', account, project_id)}>${shown}</a>` : shown}${endpoint_id !== null && html` <code class="quiet">${shownName(endpoint_id)}</code>`}${evidence !== null && html`<div class="detail">${shownSentence(evidence)}</div>`}</div>`;
}
