import type { DrawContext } from '../../page.ts';
import { pathOf } from '../../part/address.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago, instant } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { pager } from '../../part/pager.ts';
import { priceBox } from '../../part/price-box.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { operationTable } from '../operation/operation-table.ts';
import { drawDailyUse } from './drawn-daily-use.ts';
import { drawFindings } from './drawn-finding.ts';
import { drawProjectForecast } from './drawn-forecast.ts';
import { drawGlance } from './drawn-glance.ts';
import { drawTimeline } from './drawn-timeline.ts';
import { drawWhatIf } from './drawn-what-if.ts';
import type { EndpointAnswer, ProjectAnswer, ProjectQuery } from './project-schema.ts';

export function drawProject(project: ProjectAnswer, context: DrawContext<ProjectQuery>): Markup {
  return html`${sayGone(project, context)}
${drawGlance(project, context)}
${drawFacts(project, context)}
${drawOpen(project, context)}
${drawTimeline(project, context)}
${project.rests_on?.is_whole !== false && drawFigures(project, context)}
<h2 id="endpoints">Endpoints</h2>
${drawEndpoints(project, context)}
<h2 id="operations">Operations</h2>
${drawOperations(project, context)}`;
}

function drawFigures(project: ProjectAnswer, context: DrawContext<ProjectQuery>): Markup {
  return html`${drawDailyUse(project.use, context)}
${drawProjectForecast(project.forecast)}
${project.use.currency === null && project.use.pending.length === 0 && priceBox()}
<h2 id="findings">Findings</h2>
${drawFindings(project.findings, context)}
${drawWhatIf(project, context)}`;
}

function sayGone(project: ProjectAnswer, { now }: DrawContext<ProjectQuery>): Markup | null {
  const { gone_at } = project;
  if (gone_at === null) return null;
  return html`<p class="bad">This project is gone since ${instant(gone_at)}.${isRecoverable(project, now) && html` It can be recovered until ${instant(project.recoverable_until)}.`}</p>`;
}

function drawFacts(project: ProjectAnswer, { now }: DrawContext<ProjectQuery>): Markup {
  const { account, project_id, region_id, pg_version, owner_id, org_name, org_id } = project;
  const organisation = org_name ?? org_id;
  return html`<dl class="facts">
<dt>Project</dt><dd><code>${shownName(project_id)}</code></dd>
<dt>Account</dt><dd>${account}</dd>
${region_id !== null && html`<dt>Region</dt><dd>${shownName(region_id)}</dd>`}
${pg_version !== null && html`<dt>Postgres</dt><dd>${shownName(pg_version)}</dd>`}
<dt>Created</dt><dd>${instant(project.created_at, 'not known')}</dd>
${organisation !== null && html`<dt>Organisation</dt><dd>${shownName(organisation)}</dd>`}
${owner_id !== null && html`<dt>Owner</dt><dd>${shownName(owner_id)}</dd>`}
<dt>Read</dt><dd>${ago(project.last_read_at, now, 'not yet: it is still to be imported')}</dd>
</dl>`;
}

function isRecoverable({ recoverable_until }: ProjectAnswer, now: number): boolean {
  return recoverable_until !== null && Date.parse(recoverable_until) > now;
}

function drawEndpoints(
  { endpoints, endpoints_left_out }: ProjectAnswer,
  { now }: DrawContext<ProjectQuery>,
): Markup {
  return html`${table({
    caption: 'Endpoints of the project',
    whenEmpty: 'It has no endpoint that is known.',
    rows: endpoints,
    columns: [
      { title: 'Endpoint', show: ({ endpoint_id }) => html`<code>${shownName(endpoint_id)}</code>` },
      { title: 'Branch', show: ({ branch_id }) => html`<code>${shownName(branch_id ?? '')}</code>` },
      { title: 'State', show: each => showState(each) },
      { title: 'Size', show: each => showSize(each) },
      { title: 'Last used', show: ({ last_active }) => ago(last_active, now) },
    ],
  })}
${endpoints_left_out > 0 && html`<p class="notes">${showNumber(endpoints_left_out)} more, gone for longer, are not shown.</p>`}`;
}

function showState({ state, pending_state, gone_at }: EndpointAnswer): Markup {
  if (gone_at !== null) return html`<span class="badge quiet">gone</span> ${instant(gone_at)}`;
  const tone = state === 'active' ? 'good' : 'quiet';
  return html`<span class=${`badge ${tone}`}>${shownName(state ?? 'not known')}</span>${pending_state !== null && html` to ${shownName(pending_state)}`}`;
}

function showSize({ min_cu, max_cu }: EndpointAnswer): string {
  if (min_cu === null) return 'not known';
  return max_cu === null || max_cu === min_cu ? `${min_cu} CU` : `${min_cu} to ${max_cu} CU`;
}

function drawOpen({ open_operations }: ProjectAnswer, { now }: DrawContext<ProjectQuery>): Markup | null {
  if (open_operations.length === 0) return null;
  const caption = 'Operations in progress, the oldest first';
  return html`<h2>In progress</h2>${operationTable({ caption, operations: open_operations, whenEmpty: '', now, isOfProject: true })}`;
}

function drawOperations(project: ProjectAnswer, { now, path, query }: DrawContext<ProjectQuery>): Markup {
  const { operations, next_cursor } = project.operations;
  const { account, project_id, cursor, ...state } = query;
  return html`${operationTable({ caption: 'Operations of the project, the newest first', operations, whenEmpty: 'No operation is known.', now, isOfProject: true })}
${pager({ path: pathOf('projects', account, project_id) || path, state, cursor, nextCursor: next_cursor, shown: operations.length, noun: 'operations' })}`;
}
