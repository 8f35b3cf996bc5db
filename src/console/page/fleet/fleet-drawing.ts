import { hourMs } from '../../../resources/duration.ts';
import { ungrouped } from '../../../resources/grouping.ts';
import { writeInstant } from '../../answer-field.ts';
import { groupPath } from '../../chosen-group.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { countOf } from '../../part/count-word.ts';
import { choiceField, filterForm } from '../../part/filter-form.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago, instant } from '../../part/instant.ts';
import { showDecimal, showMoney, showNumber } from '../../part/number.ts';
import { pager } from '../../part/pager.ts';
import { saySaving, showSaving } from '../../part/saving.ts';
import { shownName } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import type { FleetAnswer, ProjectAnswer } from './fleet-answer.ts';
import { fleetSorts, sortOf } from './fleet-order.ts';
import type { FleetQuery } from './fleet-query.ts';

export function drawFleet(fleet: FleetAnswer, { now, path, query }: DrawContext<FleetQuery>): Markup {
  const { sort, order, cursor, ...filter } = query;
  const state = stateOf(filter);
  return html`${drawFilter(fleet, path, query)}
${drawOpen(fleet)}
${table({
  caption: 'Projects',
  whenEmpty: fleet.rests_on.is_whole ? 'There are no such projects.' : 'This is not known yet.',
  ordered: { sort: sortOf(sort, isPriced(fleet)), order, path, state },
  isFolded: true,
  rows: fleet.projects,
  columns: columnsOf(fleet, now),
})}
${pager({
  path,
  state: { ...state, sort, order },
  cursor,
  nextCursor: fleet.next_cursor,
  shown: fleet.projects.length,
  total: fleet.total.projects,
  noun: 'projects',
})}
${drawFiles(fleet)}
${fleet.notes.length > 0 && html`<details class="notes"><summary>${fleet.partial ? 'Something is missing in these figures' : 'What these figures mean'}</summary><ul>${fleet.notes.map(note => html`<li>${note}</li>`)}</ul></details>`}`;
}

/** The same figures of all projects as files. */
function drawFiles({ currency, projects }: FleetAnswer): Markup | null {
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

type Filter = Omit<FleetQuery, 'sort' | 'order' | 'cursor'>;

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

function drawFilter(fleet: FleetAnswer, path: string, query: FleetQuery): Markup {
  const { choices } = fleet;
  const sort = sortOf(query.sort, isPriced(fleet));
  const same = (value: string) => ({ value, label: value });
  const groups = choices.groups.flatMap(({ grouping, groups }) =>
    groups.map(name => ({ value: groupPath(grouping, name), label: name, group: grouping })),
  );
  return filterForm({
    label: 'Filter of projects',
    path,
    fields: [
      { name: 'q', label: 'Name or id', value: query.q, hint: 'part of it' },
      ...(groups.length > 0
        ? [choiceField({ name: 'group', label: 'Group', value: query.group, hint: 'part of it' }, groups)]
        : []),
      choiceField({ name: 'region', label: 'Region', value: query.region }, choices.regions.map(same)),
      { name: 'state', label: 'State', value: query.state, options: stateOptions },
      { name: 'finding', label: 'Findings', value: query.finding, options: findingOptions },
      { name: 'gone', label: 'Gone ones', value: query.gone, options: goneOptions },
      { name: 'sort', label: 'Sort by', value: sort, usual: sort, options: sortOptions },
    ],
    kept: {
      account: query.account,
      order: query.order,
      ...(query.limit !== 50 && { limit: query.limit }),
    },
  });
}

const stateOptions = [
  { value: 'all', label: 'all' },
  { value: 'active', label: 'any endpoint active' },
  { value: 'idle', label: 'all endpoints idle' },
  { value: 'changing', label: 'changing' },
  { value: 'other', label: 'another state' },
  { value: 'none', label: 'no endpoint' },
  { value: 'importing', label: 'still to be imported' },
];
const findingOptions = [
  { value: 'all', label: 'with or without' },
  { value: 'with', label: 'with findings' },
  { value: 'without', label: 'without findings' },
];
const sortNames: Readonly<Partial<Record<FleetQuery['sort'], string>>> = {
  hours: 'compute hours',
  endpoints: 'active endpoints',
  failures: 'failed operations',
  last_active: 'last active',
};
const sortOptions = fleetSorts.map(value => ({ value, label: sortNames[value] ?? value }));
const goneOptions = [
  { value: 'without', label: 'left out' },
  { value: 'all', label: 'shown too' },
  { value: 'only', label: 'alone' },
];

/** What all of the projects that are shown used and cost. */
export function describeHead({ total, currency, period }: FleetAnswer): PageHead {
  if (total.compute_hours === null) return {};
  const money = (cost: string) => showMoney(cost, currency);
  return {
    lead: html`${countOf(total.projects, 'project')} used <strong>${showDecimal(total.compute_hours)} compute hours</strong>${total.cost !== null && html` and cost <strong>${money(total.cost)}</strong>`}${period !== null && html` in the billing period since ${instant(period.from)}`}${total.cost_forecast !== null && html`; <strong>${money(total.cost_forecast)}</strong> expected by its end`}.`,
  };
}

/** What is not in the figures of projects, or not known. */
function drawOpen(fleet: FleetAnswer): Markup | null {
  const { currency, charges, pending, failing, rests_on } = fleet;
  const money = (cost: string | null) =>
    cost === null || currency === null ? 'an unknown amount' : showMoney(cost, currency);
  const isUnpriced = pending.length + failing.length === 0 && currency === null && rests_on.is_whole;
  if (charges.length + pending.length + failing.length === 0 && !isUnpriced) return null;
  return html`<p class="m">${charges.map(each => html`Besides, account ${shownName(each.account)} has a ${shownName(each.charge.replace(/^\(|\)$/g, ''))} of ${money(each.cost)}. `)}${pending.length > 0 && html`<span class="warn">Still being worked out: ${pending.join(', ')}. This page renews itself.</span>`}${failing.length > 0 && html`<span class="bad">Not worked out: ${failing.join(', ')}. The log of the daemon says why. </span>`}${isUnpriced && html`What they cost is not known: <a href="/cost">set a price</a>.`}</p>`;
}

function isPriced({ currency, pending }: FleetAnswer): boolean {
  return currency !== null || pending.includes('cost');
}

function columnsOf(fleet: FleetAnswer, now: number): readonly TableColumn<ProjectAnswer>[] {
  const { currency, choices, period } = fleet;
  const hasPrices = isPriced(fleet);
  const several = choices.accounts.length > 1;
  const account: TableColumn<ProjectAnswer> = {
    title: 'Account',
    sort: 'account',
    fold: 'no',
    show: row => shownName(row.account),
  };
  const groups: TableColumn<ProjectAnswer> = {
    title: 'Groups',
    sort: 'groups',
    fold: 'no',
    show: row => namedGroups(row).join(', '),
  };
  const cost: TableColumn<ProjectAnswer> = {
    title: 'Cost',
    sort: 'cost',
    isNumber: true,
    show: row => showCost(row, currency),
  };
  const forecast: TableColumn<ProjectAnswer> = {
    title: 'Forecast',
    sort: 'forecast',
    isNumber: true,
    fold: 'no',
    show: ({ cost_forecast }) =>
      cost_forecast === null || currency === null ? '' : showMoney(cost_forecast, currency),
  };
  const known: readonly TableColumn<ProjectAnswer>[] = [
    ...(several ? [account] : []),
    { title: 'Region', sort: 'region', fold: 'no', show: row => shownName(row.region_id ?? '') },
    ...(choices.groups.length > 0 ? [groups] : []),
    { title: 'Active endpoints', sort: 'endpoints', fold: 'l2', show: drawEndpoints },
    {
      title: 'Compute hours',
      sort: 'hours',
      isNumber: true,
      ...(hasPrices && { fold: 'no' }),
      show: row => (row.compute_hours === null ? '' : showDecimal(row.compute_hours)),
    },
    ...(hasPrices ? [cost, forecast] : []),
    { title: 'Starts', sort: 'starts', isNumber: true, fold: 'no', show: row => showCount(row.starts) },
    {
      title: 'Failed operations',
      sort: 'failures',
      isNumber: true,
      fold: 'no',
      show: row => drawFailures(row, period),
    },
    {
      title: 'Findings',
      sort: 'findings',
      isNumber: true,
      fold: 'no',
      show: row => drawFindings(row, currency),
    },
    { title: 'Last active', sort: 'last_active', fold: 'no', show: row => drawLastActive(row, now) },
  ];
  return [
    { title: 'Project', sort: 'name', show: drawName },
    ...known,
    { title: '', fold: 'all', show: row => drawRest(row, known) },
  ];
}

/** What a folded row leaves out, on a tap. */
function drawRest(row: ProjectAnswer, columns: readonly TableColumn<ProjectAnswer>[]): Markup {
  return html`<details class="ph"><summary>more</summary><dl class="facts"><dt>Id</dt><dd><span class="id">${shownName(row.project_id)}</span></dd>${columns.filter(({ fold }) => fold === 'no').map(({ title, show }) => html`<dt>${title}</dt><dd>${show(row)}</dd>`)}</dl></details>`;
}

function namedGroups({ groups }: ProjectAnswer): string[] {
  return Object.values(groups).filter(group => group !== ungrouped);
}

function drawName({ account, project_id, project_name }: ProjectAnswer): Markup {
  const href = pathOf('projects', account, project_id);
  return html`<a href=${href}><b>${shownName(project_name || project_id)}</b></a><code class="s wd">${shownName(project_id)}</code>`;
}

function drawEndpoints({ state, endpoints, endpoints_active }: ProjectAnswer): Markup {
  if (state === 'gone') return html`<span class="pill">gone</span>`;
  if (state === 'importing') return html`<span class="pill warn">to be imported</span>`;
  const dot = state === 'active' ? 'dot' : 'dot off';
  return html`<span class="nw"><i class=${dot}></i> ${showNumber(endpoints_active)} of ${showNumber(endpoints)}<span class="ph-in"> awake</span></span>`;
}

/** The figure leads to the timeline of the same time, which has them one by one. */
function drawFailures(
  { account, project_id, failures }: ProjectAnswer,
  period: FleetAnswer['period'],
): Markup | string {
  if (failures === null || failures === 0 || period === null) return showCount(failures);
  // A timeline is of an hour at least.
  const until = Math.max(Date.parse(period.until), Date.parse(period.from) + hourMs);
  const range = { from: period.from, until: writeInstant(until) };
  const href = `${addressOf(pathOf('projects', account, project_id), range)}#timeline`;
  return html`<a class="bad" href=${href}>${showNumber(failures)}</a>`;
}

function drawFindings(row: ProjectAnswer, currency: string | null): Markup | string {
  const { account, project_id, findings } = row;
  if (findings === null || findings === 0) return showCount(findings);
  const saving = showSaving(
    {
      compute_hours_per_month: row.findings_compute_hours_per_month,
      most_compute_hours_per_month: row.findings_most_compute_hours_per_month,
      cost_per_month: row.findings_cost_per_month,
      most_cost_per_month: row.findings_most_cost_per_month,
    },
    currency,
  );
  // A part of the id finds it, too.
  const href = addressOf('/findings', { account, project: project_id.slice(0, 200) });
  return html`<a href=${href}>${showNumber(findings)}</a>${saving.most !== undefined && html`<span class="s nw">${saySaving(saving)} a month</span>`}`;
}

function drawLastActive({ state, last_active, gone_at }: ProjectAnswer, now: number) {
  if (gone_at !== null) return html`gone ${ago(gone_at, now)}`;
  if (state === 'importing') return '';
  return state === 'active' ? html`<span class="good">now</span>` : ago(last_active, now);
}

function showCost({ cost, cost_missing }: ProjectAnswer, currency: string | null): string {
  return cost === null || currency === null ? (cost_missing ?? '') : showMoney(cost, currency);
}

function showCount(count: number | null): string {
  return count === null ? '' : showNumber(count);
}
