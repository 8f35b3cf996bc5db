import { groupPath } from '../../chosen-group.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { countOf } from '../../part/count-word.ts';
import { choiceField, filterForm } from '../../part/filter-form.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant } from '../../part/instant.ts';
import { showDecimal, showMoney } from '../../part/number.ts';
import { pager } from '../../part/pager.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import {
  type ProjectsAnswer,
  type ProjectsQuery,
  projectFilters,
  projectSorts,
  sortOf,
} from './projects-answer.ts';
import { columnsOf, isPriced } from './projects-column.ts';

export function drawProjects(
  answer: ProjectsAnswer,
  { now, path, query }: DrawContext<ProjectsQuery>,
): Markup {
  const { sort, order, cursor, ...filter } = query;
  const state = stateOf(filter);
  const sorted = sortOf(sort, isPriced(answer));
  return html`${drawFilter(answer, path, query)}
${drawOpen(answer)}
${table({
  caption: 'Projects',
  whenEmpty: answer.rests_on.is_whole ? 'There are no such projects.' : 'This is not known yet.',
  ordered: { sort: sorted, order, path, state },
  isFolded: true,
  rows: answer.projects,
  columns: columnsOf(answer, now, sorted),
})}
${pager({
  path,
  state: { ...state, sort, order },
  cursor,
  nextCursor: answer.next_cursor,
  shown: answer.projects.length,
  total: answer.total.projects,
  noun: 'projects',
})}
${drawFiles(answer)}
${answer.notes.length > 0 && html`<details class="notes"><summary>${answer.partial ? 'Something is missing in these figures' : 'What these figures mean'}</summary><ul>${answer.notes.map(note => html`<li>${note}</li>`)}</ul></details>`}`;
}

/** The same figures of all projects as files. */
function drawFiles({ currency, projects }: ProjectsAnswer): Markup | null {
  if (projects.length === 0) return null;
  const priced = ['cost', 'forecast'] as const;
  const files = ['usage', ...(currency === null ? [] : priced)].map(what => ({
    what,
    href: addressOf(`/reports/${what}`, {
      by: 'project',
      ...(what !== 'forecast' && { period: 'billing' }),
      format: 'csv',
    }),
  }));
  return html`<p>Figures of all projects as CSV: ${files.map(({ what, href }, index) => html`${index > 0 && ' · '}<a href=${href}>${what}</a>`)}</p>`;
}

type Filter = Omit<ProjectsQuery, 'sort' | 'order' | 'cursor'>;

/** Values that are as usual are left out of addresses. */
function stateOf({ state, finding, gone, limit, ...texts }: Filter): Record<string, string | number> {
  return {
    ...texts,
    ...(state !== 'all' && { state }),
    ...(finding !== 'all' && { finding }),
    ...(gone !== 'without' && { gone }),
    ...(limit !== 50 && { limit }),
  };
}

function drawFilter(answer: ProjectsAnswer, path: string, query: ProjectsQuery): Markup {
  const { choices } = answer;
  const sort = sortOf(query.sort, isPriced(answer));
  const same = (value: string) => ({ value, label: value });
  const groups = choices.groups.flatMap(({ grouping, groups }) =>
    groups.map(name => ({ value: groupPath(grouping, name), label: name, group: grouping })),
  );
  const chosen = (name: keyof typeof projectFilters, label: string) => {
    const options = Object.entries(projectFilters[name]).map(([value, words]) => ({ value, label: words }));
    return { name, label, value: query[name], options };
  };
  return filterForm({
    label: 'Filter of projects',
    path,
    fields: [
      { name: 'q', label: 'Name or id', value: query.q, hint: 'part of it' },
      ...(groups.length > 0
        ? [choiceField({ name: 'group', label: 'Group', value: query.group, hint: 'part of it' }, groups)]
        : []),
      choiceField({ name: 'region', label: 'Region', value: query.region }, choices.regions.map(same)),
      chosen('state', 'State'),
      chosen('finding', 'Findings'),
      chosen('gone', 'Gone ones'),
      { name: 'sort', label: 'Sort by', value: sort, usual: sort, options: sortOptions },
    ],
    kept: {
      account: query.account,
      order: query.order,
      ...(query.limit !== 50 && { limit: query.limit }),
    },
  });
}

const sortNames: Readonly<Partial<Record<ProjectsQuery['sort'], string>>> = {
  hours: 'compute hours',
  endpoints: 'awake endpoints',
  failures: 'failed operations',
  last_active: 'last used',
};
const sortOptions = projectSorts.map(value => ({ value, label: sortNames[value] ?? value }));

/** What all of the projects that are shown used and cost. */
export function describeHead({ total, currency, period }: ProjectsAnswer): PageHead {
  if (total.compute_hours === null) return {};
  const money = (cost: string) => showMoney(cost, currency);
  return {
    lead: html`${countOf(total.projects, 'project')} used <strong>${showDecimal(total.compute_hours)} compute hours</strong>${total.cost !== null && html` and cost <strong>${money(total.cost)}</strong>`}${period !== null && html` in the billing period since ${instant(period.from)}`}${total.cost_forecast !== null && html`; their own forecasts come to <strong>${money(total.cost_forecast)}</strong> by its end`}.`,
  };
}

/** What is not in the figures of projects, or not known. */
function drawOpen(answer: ProjectsAnswer): Markup | null {
  const { currency, charges, pending, failing, rests_on } = answer;
  const money = (cost: string | null) =>
    cost === null || currency === null ? 'an unknown amount' : showMoney(cost, currency);
  const isUnpriced = pending.length + failing.length === 0 && currency === null && rests_on.is_whole;
  if (charges.length + pending.length + failing.length === 0 && !isUnpriced) return null;
  return html`<p class="m">${charges.map(each => html`Besides, account ${shownName(each.account)} has a ${shownName(each.charge.replace(/^\(|\)$/g, ''))} of ${money(each.cost)}. `)}${pending.length > 0 && html`<span class="warn">Still being worked out: ${pending.join(', ')}. This page renews itself.</span>`}${failing.length > 0 && html`<span class="crit">Not worked out: ${failing.join(', ')}. The log of the daemon says why. </span>`}${isUnpriced && html`What they cost is not known: <a href="/cost">set a price</a>.`}</p>`;
}
