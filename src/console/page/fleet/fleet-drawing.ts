import { hourMs } from '../../../resources/duration.ts';
import { ungrouped } from '../../../resources/grouping.ts';
import { writeInstant } from '../../answer-field.ts';
import { groupPath } from '../../chosen-group.ts';
import type { DrawContext } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { choiceField, filterForm } from '../../part/filter-form.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago, instant } from '../../part/instant.ts';
import { showDecimal, showMoney, showNumber } from '../../part/number.ts';
import { pager } from '../../part/pager.ts';
import { saySaving, showSaving } from '../../part/saving.ts';
import { shownName } from '../../part/shown-text.ts';
import { type TableColumn, table } from '../../part/table.ts';
import type { FleetAnswer, ProjectAnswer } from './fleet-answer.ts';
import type { FleetQuery } from './fleet-query.ts';

export function drawFleet(fleet: FleetAnswer, { now, path, query }: DrawContext<FleetQuery>): Markup {
  const { sort, order, cursor, ...filter } = query;
  const state = stateOf(filter);
  return html`${drawFilter(fleet, path, query)}
${drawSums(fleet)}
<div class="fleet">${table({
    caption: 'Projects',
    whenEmpty: fleet.rests_on.is_whole ? 'There are no such projects.' : 'This is not known yet.',
    ordered: { sort, order, path, state },
    isStacked: true,
    rows: fleet.projects,
    columns: columnsOf(fleet, now),
  })}</div>
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

function drawFilter({ choices }: FleetAnswer, path: string, query: FleetQuery): Markup {
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
    ],
    kept: {
      account: query.account,
      sort: query.sort,
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
const goneOptions = [
  { value: 'without', label: 'left out' },
  { value: 'all', label: 'shown too' },
  { value: 'only', label: 'alone' },
];

function drawSums({ total, currency, charges, period, pending, failing, rests_on }: FleetAnswer): Markup {
  const money = (cost: string | null) =>
    cost === null || currency === null ? 'an unknown amount' : showMoney(cost, currency);
  const isCounted = total.compute_hours !== null;
  return html`<p>${period !== null && html`Figures are of the billing period so far, from ${instant(period.from)}. `}${isCounted && html`These ${showNumber(total.projects)} projects used <strong>${showDecimal(total.compute_hours ?? '')} compute hours</strong>${total.cost !== null && html` and cost <strong>${money(total.cost)}</strong>`}${total.cost_forecast !== null && html`, <strong>${money(total.cost_forecast)}</strong> expected by its end`}. `}${charges.map(each => html`Besides, account ${shownName(each.account)} has a ${shownName(each.charge.replace(/^\(|\)$/g, ''))} of ${money(each.cost)}. `)}${pending.length > 0 && html`<span class="warn">Still being worked out: ${pending.join(', ')}. This page renews itself.</span>`}${failing.length > 0 && html`<span class="bad">Not worked out: ${failing.join(', ')}. The log of the daemon says why. </span>`}${pending.length + failing.length === 0 && currency === null && rests_on.is_whole && html`What they cost is not known: write the section <code>pricing</code> into the configuration.`}</p>`;
}

function columnsOf(
  { currency, choices, pending, period }: FleetAnswer,
  now: number,
): readonly TableColumn<ProjectAnswer>[] {
  const hasPrices = currency !== null || pending.includes('cost');
  const several = choices.accounts.length > 1;
  const account: TableColumn<ProjectAnswer> = {
    title: 'Account',
    sort: 'account',
    show: row => shownName(row.account),
  };
  const groups: TableColumn<ProjectAnswer> = {
    title: 'Groups',
    sort: 'groups',
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
    show: ({ cost_forecast }) =>
      cost_forecast === null || currency === null ? '' : showMoney(cost_forecast, currency),
  };
  return [
    { title: 'Project', sort: 'name', show: drawName },
    ...(several ? [account] : []),
    { title: 'Region', sort: 'region', show: row => shownName(row.region_id ?? '') },
    ...(choices.groups.length > 0 ? [groups] : []),
    { title: 'Active endpoints', sort: 'endpoints', isNumber: true, show: drawEndpoints },
    {
      title: 'Compute hours',
      sort: 'hours',
      isNumber: true,
      show: row => (row.compute_hours === null ? '' : showDecimal(row.compute_hours)),
    },
    ...(hasPrices ? [cost, forecast] : []),
    { title: 'Starts', sort: 'starts', isNumber: true, show: row => showCount(row.starts) },
    {
      title: 'Failed operations',
      sort: 'failures',
      isNumber: true,
      show: row => drawFailures(row, period),
    },
    { title: 'Findings', sort: 'findings', isNumber: true, show: row => drawFindings(row, currency) },
    { title: 'Last active', sort: 'last_active', show: row => drawLastActive(row, now) },
  ];
}

function namedGroups({ groups }: ProjectAnswer): string[] {
  return Object.values(groups).filter(group => group !== ungrouped);
}

function drawName({ account, project_id, project_name }: ProjectAnswer): Markup {
  const href = pathOf('projects', account, project_id);
  return html`<a href=${href}>${shownName(project_name || project_id)}</a><br /><code class="quiet">${shownName(project_id)}</code>`;
}

function drawEndpoints({ state, endpoints, endpoints_active }: ProjectAnswer): Markup | string {
  if (state === 'gone') return html`<span class="badge quiet">gone</span>`;
  if (state === 'importing') return html`<span class="badge warn">to be imported</span>`;
  const counts = `${showNumber(endpoints_active)} of ${showNumber(endpoints)}`;
  return state === 'active' ? html`<span class="good">${counts}</span>` : counts;
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
  return html`<a href=${href}>${showNumber(findings)}</a>${saving.most !== undefined && html` <span class="detail">${saySaving(saving)} a month</span>`}`;
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
