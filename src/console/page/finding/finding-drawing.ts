import type { DrawContext } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { card } from '../../part/card.ts';
import { choiceField, filterForm } from '../../part/filter-form.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { ago } from '../../part/instant.ts';
import { showDecimal, showMoney, showNumber } from '../../part/number.ts';
import { pager } from '../../part/pager.ts';
import { reportNotes } from '../../part/report-note.ts';
import { saySaving, showSavedHours, showSaving } from '../../part/saving.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import { maybeTerm, term } from '../../part/term.ts';
import type { DoneFindings, FindingAnswer, ShownFinding } from './finding-answer.ts';
import type { FindingQuery } from './finding-reading.ts';

export function drawFindings(answer: FindingAnswer, { path, query, now }: DrawContext<FindingQuery>): Markup {
  const { cursor, ...state } = query;
  const { show, findings, count, next_cursor, report } = answer;
  return html`${drawFilter(answer, query, path)}
${drawCards(answer)}
${table({
  caption:
    show === 'open' ? 'Findings, the dearest first' : 'Findings that are done, the largest savings first',
  whenEmpty: whenEmpty(query),
  isStacked: true,
  rows: findings,
  columns: columnsOf(report?.currency ?? null, show, now),
})}
${pager({ path, state, cursor, nextCursor: next_cursor, shown: findings.length, total: count, noun: 'findings' })}
${drawDone(answer, query, path, now)}
<p class="ways"><a href=${addressOf(path, { show: show === 'done' ? '' : 'done' })}>${show === 'done' ? 'Findings that are open' : 'Findings that are done, and what they save'}</a> · all findings as <a href=${addressOf('/reports/findings', { format: 'csv', done: show === 'done' ? 'yes' : '' })} download>CSV</a> or <a href=${addressOf('/reports/findings', { format: 'json', done: show === 'done' ? 'yes' : '' })} download>JSON</a></p>
${report !== null && reportNotes(report)}`;
}

/** Findings that were followed already, and what that saves: below those that are open. */
function drawDone({ done }: FindingAnswer, query: FindingQuery, path: string, now: number): Markup | null {
  if (done === null) return null;
  const { count, currency, cost_per_month: cost, compute_hours_per_month: hours, findings } = done;
  const money = cost === null || currency === null ? null : showMoney(cost, currency);
  const use = hours === null ? 'not known' : `${showDecimal(hours)} compute hours`;
  const all = addressOf(path, { ...query, show: 'done', cursor: '' });
  return html`<h2 id="done">Done, and what it saves</h2>
<p>${showNumber(count)} finding${count === 1 ? ' is' : 's are'} done. What that saves a month: <strong>${money ?? use}</strong>${money !== null && ` (${use})`}.</p>
${table({
  caption: 'Findings that are done, the largest savings first',
  whenEmpty: '',
  isStacked: true,
  rows: findings,
  columns: columnsOf(currency, 'done', now),
})}
${count > findings.length && html`<p><a href=${all}>All ${showNumber(count)} that are done</a></p>`}`;
}

function whenEmpty({ show, account, kind, group, project }: FindingQuery): string {
  if ([account, kind, group, project].some(each => each !== '')) return 'No finding is like that.';
  return show === 'open'
    ? 'Nothing was found that could be saved. Findings need three days of history.'
    : 'No finding was done in the last 60 days.';
}

function drawFilter({ kinds, groups }: FindingAnswer, query: FindingQuery, path: string): Markup {
  const choose = (words: readonly string[]) => [
    { value: '', label: 'all' },
    ...words.map(each => ({ value: each, label: each.replaceAll('_', ' ') })),
  ];
  return filterForm({
    label: 'Which findings',
    path,
    kept: { limit: query.limit, account: query.account },
    fields: [
      {
        name: 'show',
        label: 'Show',
        value: query.show,
        options: [
          { value: 'open', label: 'open' },
          { value: 'done', label: 'done' },
        ],
      },
      { name: 'project', label: 'Project', value: query.project, hint: 'name or id' },
      { name: 'kind', label: 'Kind', value: query.kind, options: choose(kinds) },
      ...(groups.length > 0
        ? [
            choiceField(
              { name: 'group', label: 'Group', value: query.group, hint: 'part of it' },
              groups.map(each => ({ value: each, label: each })),
            ),
          ]
        : []),
    ],
  });
}

function drawCards(answer: FindingAnswer): Markup {
  const { show, count, report } = answer;
  const currency = report?.currency ?? null;
  return html`<div class="cards">
${show === 'done' ? drawSavedCard(answer, currency) : drawSavingCards(answer, currency)}
${card({ title: term('finding', show === 'open' ? 'Findings' : 'Done'), figure: showNumber(count) })}
${answer.done !== null && drawDoneCard(answer.done)}
</div>`;
}

const noPrices = html`<a href="/cost">Without prices there is no money</a>`;

function drawSavedCard(answer: FindingAnswer, currency: string | null): Markup {
  const { compute_hours_per_month: hours, cost_per_month: cost, has_prices } = answer;
  const hourText = hours === null ? 'not known' : `${showDecimal(hours)} compute hours`;
  const isPriced = cost !== null && currency !== null;
  return card({
    title: 'Saved a month',
    figure: isPriced ? showMoney(cost, currency) : hourText,
    detail: isPriced ? hourText : !has_prices && noPrices,
  });
}

function drawSavingCards(answer: FindingAnswer, currency: string | null): Markup {
  const [money, hours] = [showSaving(answer, currency), showSavedHours(answer)];
  const isPriced = answer.most_cost_per_month !== null && currency !== null;
  const draw = (title: string, figure: string | undefined, inHours: string | undefined) =>
    card({
      title,
      figure: figure ?? 'not known',
      detail: isPriced ? inHours : !answer.has_prices && noPrices,
    });
  return html`${draw('Likely saved a month', money.likely, hours.likely)}
${draw('Saved a month at most', money.most, hours.most)}`;
}

function drawDoneCard({
  count,
  currency,
  cost_per_month: cost,
  compute_hours_per_month: hours,
}: DoneFindings): Markup {
  const hourText = hours === null ? 'not known' : `${showDecimal(hours)} compute hours`;
  return card({
    title: 'Saved a month by those done',
    href: '#done',
    figure: cost === null || currency === null ? hourText : showMoney(cost, currency),
    detail: `by ${showNumber(count)} finding${count === 1 ? '' : 's'} that ${count === 1 ? 'was' : 'were'} followed`,
    tone: 'good',
  });
}

function columnsOf(
  currency: string | null,
  show: 'open' | 'done',
  now: number,
): readonly TableColumn<ShownFinding>[] {
  const saved: TableColumn<ShownFinding> = {
    title: 'Saved a month',
    isNumber: true,
    show: each => savedOf(each, currency),
  };
  const saves: readonly TableColumn<ShownFinding>[] = (['likely', 'most'] as const).map(bound => ({
    title: bound === 'likely' ? 'Likely a month' : 'At most a month',
    isNumber: true,
    show: each => savingOf(each, currency, bound),
  }));
  const claimed: readonly TableColumn<ShownFinding>[] = [
    { title: 'Done', show: ({ done_at }) => ago(done_at, now) },
    {
      title: 'Claimed',
      isNumber: true,
      show: ({ claimed_compute_hours_per_month, most_claimed_compute_hours_per_month }) =>
        saySaving(
          showSavedHours({
            compute_hours_per_month: claimed_compute_hours_per_month,
            most_compute_hours_per_month: most_claimed_compute_hours_per_month,
          }),
        ),
    },
  ];
  return [
    { title: 'What', show: ({ kind }) => maybeTerm(kind) },
    { title: 'Where', show: placeOf },
    ...(show === 'done' ? [saved, ...claimed] : saves),
    { title: show === 'open' ? 'Evidence, and what to do' : 'Evidence', show: reasonOf },
  ];
}

function savedOf(
  { cost_per_month, no_cost, compute_hours_per_month }: ShownFinding,
  currency: string | null,
): Content {
  const hours = compute_hours_per_month === null ? '' : `${showDecimal(compute_hours_per_month)} hours`;
  if (cost_per_month === null || currency === null) {
    return html`${hours === '' ? 'not known' : hours}${no_cost !== null && html` <span class="quiet">${no_cost}</span>`}`;
  }
  return html`<strong>${showMoney(cost_per_month, currency)}</strong>${hours !== '' && html`<div class="detail">${hours}</div>`}`;
}

/** One of the two figures of a saving, in money above hours. */
function savingOf(finding: ShownFinding, currency: string | null, bound: 'likely' | 'most'): Content {
  const money = showSaving(finding, currency)[bound];
  const hours = showSavedHours(finding)[bound];
  if (money === undefined) return html`<span class="quiet">not known</span>`;
  const { no_cost, most_cost_per_month: cost } = finding;
  if (cost === null) return html`${money}${no_cost !== null && html` <span class="quiet">${no_cost}</span>`}`;
  return html`<strong>${money}</strong>${hours !== undefined && html`<div class="detail">${hours}</div>`}`;
}

function placeOf({ account, project_id, project_name, endpoint_id }: ShownFinding): Content {
  return html`<a href=${pathOf('projects', account, project_id)}>${shownName(project_name ?? project_id)}</a> <span class="quiet">${shownName(account)}</span>${endpoint_id !== null && html`<div><code class="quiet">${shownName(endpoint_id)}</code></div>`}`;
}

function reasonOf({ evidence, advice }: ShownFinding): Content {
  return html`${shownSentence(evidence ?? '')}${advice !== null && html`<div class="advice"><strong>${shownSentence(advice)}</strong></div>`}`;
}
