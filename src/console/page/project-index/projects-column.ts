import { hourMs } from '../../../resources/duration.ts';
import { ungrouped } from '../../../resources/grouping.ts';
import { writeInstant } from '../../answer-value.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { ago } from '../../part/instant.ts';
import { showDecimal, showMoney, showNumber } from '../../part/number.ts';
import { saySaving, showSaving } from '../../part/saving.ts';
import { shownName } from '../../part/shown-text.ts';
import { restOf, type TableColumn } from '../../part/table.ts';
import type { ListedProject, ProjectAnswer, ProjectsAnswer, ProjectsQuery } from './projects-answer.ts';

export function isPriced({ currency, pending }: ProjectsAnswer): boolean {
  return currency !== null || pending.includes('cost');
}

/** The columns of the list of projects; a folded row has the first, one figure and what is awake. */
export function columnsOf(
  answer: ProjectsAnswer,
  now: number,
  sort: ProjectsQuery['sort'],
): readonly (TableColumn<ListedProject> | false)[] {
  const { currency, choices, period } = answer;
  const hasPrices = isPriced(answer);
  const ofFailures = sort === 'failures';
  const columns: readonly (TableColumn<ListedProject> | false)[] = [
    choices.accounts.length > 1 && {
      ...{ title: 'Account', sort: 'account', fold: 'no' },
      show: row => shownName(row.account),
    },
    { title: 'Region', sort: 'region', fold: 'no', show: drawRegion },
    choices.groups.length > 0 && {
      ...{ title: 'Groups', sort: 'groups', fold: 'no' },
      show: row => namedGroups(row).join(', '),
    },
    { title: 'Awake endpoints', sort: 'endpoints', fold: 'l2', show: drawEndpoints },
    {
      ...{ number: 'Compute hours', sort: 'hours', ...((hasPrices || ofFailures) && { fold: 'no' }) },
      show: row => showDecimal(row.compute_hours),
    },
    hasPrices && {
      ...{ number: 'Cost', sort: 'cost', ...(ofFailures && { fold: 'no' }) },
      show: row => showCost(row, currency),
    },
    hasPrices && {
      ...{ number: 'Forecast', sort: 'forecast', fold: 'no' },
      show: row => currency !== null && showMoney(row.cost_forecast, currency),
    },
    { number: 'Starts', sort: 'starts', fold: 'no', show: row => showNumber(row.starts) },
    {
      ...{ number: 'Failed operations', sort: 'failures', ...(!ofFailures && { fold: 'no' }) },
      show: row =>
        html`${drawFailures(row, period)}${ofFailures && row.failures !== null && html`<span class="ph-in"> failed</span>`}`,
    },
    { number: 'Findings', sort: 'findings', fold: 'no', show: row => drawFindings(row, currency) },
    { title: 'Last used', sort: 'last_active', fold: 'no', show: row => drawLastUsed(row, now) },
  ];
  return [{ title: 'Project', sort: 'name', show: drawName }, ...columns, restOf(columns, drawId)];
}

function drawId({ project_id }: ListedProject): Markup {
  return html`<dt>Id</dt><dd><span class="id">${shownName(project_id)}</span></dd>`;
}

function namedGroups({ groups }: ProjectAnswer): string[] {
  return Object.values(groups).filter(group => group !== ungrouped);
}

function drawName({ account, project_id, project_name, trouble }: ListedProject): Markup {
  const href = pathOf('projects', account, project_id);
  return html`<a href=${href}><b>${shownName(project_name || project_id)}</b></a>${trouble !== null && drawTrouble(project_id, trouble)}<code class="s wd">${shownName(project_id)}</code>`;
}

function drawTrouble(project: string, trouble: NonNullable<ListedProject['trouble']>): Markup {
  const status = trouble === 'stuck' ? 'in_progress' : 'failed';
  const tone = trouble === 'stuck' || trouble === 'failing' ? 'crit' : 'warn';
  return html` <a class=${`pill ${tone}`} href=${addressOf('/operations', { project, status })}>${icon(tone)}${trouble.replace('_', ' ')}</a>`;
}

function drawRegion({ region_id }: ProjectAnswer): Markup | string {
  return region_id === null ? '' : html`<span class="nw">${shownName(region_id)}</span>`;
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
  period: ProjectsAnswer['period'],
): Markup | string {
  if (failures === null || failures === 0 || period === null) return showNumber(failures);
  // A timeline is of an hour at least.
  const until = Math.max(Date.parse(period.until), Date.parse(period.from) + hourMs);
  const range = { from: period.from, until: writeInstant(until) };
  const href = `${addressOf(pathOf('projects', account, project_id), range)}#timeline`;
  return html`<a class="crit" href=${href}>${showNumber(failures)}</a>`;
}

function drawFindings(row: ProjectAnswer, currency: string | null): Markup | string {
  const { account, project_id, findings } = row;
  if (findings === null || findings === 0) return showNumber(findings);
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

function drawLastUsed({ state, last_active, gone_at }: ProjectAnswer, now: number) {
  if (gone_at !== null) return html`<span class="nw">gone ${ago(gone_at, now)}</span>`;
  if (state === 'importing') return '';
  return html`<span class="nw">${ago(last_active, now)}</span>`;
}

function showCost({ cost, cost_missing }: ProjectAnswer, currency: string | null): string {
  return cost === null || currency === null ? (cost_missing ?? '') : showMoney(cost, currency);
}
