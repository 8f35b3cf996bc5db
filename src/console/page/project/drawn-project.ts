import type { DrawContext } from '../../page.ts';
import { addressOf, pathOf } from '../../part/address.ts';
import { card, textCard } from '../../part/card.ts';
import { countOf } from '../../part/count-word.ts';
import { sayEndpointState } from '../../part/endpoint-state.ts';
import { html, type Markup } from '../../part/html.ts';
import { ago, instant } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { onTap } from '../../part/on-tap.ts';
import { pager } from '../../part/pager.ts';
import { priceBox } from '../../part/price-box.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { operationTable } from '../operation/operation-table.ts';
import { drawDailyUse } from './daily-use.ts';
import { drawFindings } from './drawn-finding.ts';
import { drawProjectTiles } from './drawn-project-head.ts';
import { drawTimeline } from './drawn-timeline.ts';
import { drawProjectForecast } from './forecast.ts';
import type { EndpointAnswer, ProjectAnswer, ProjectQuery } from './project-schema.ts';
import { drawWhatIf } from './what-if.ts';

type Context = DrawContext<ProjectQuery>;

/** State and cost, what its endpoints did, what failed, and what can be saved. */
export function drawProject(project: ProjectAnswer, context: Context): Markup {
  const isWhole = project.rests_on?.is_whole !== false;
  return html`${drawProjectTiles(project, context)}
${drawTimeline(project, context)}
${drawOperations(project, context)}
<div class="g g2"><div class="stack">${isWhole && html`${drawFindings(project.findings, context)}${drawDailyUse(project.use, context)}`}${drawEndpoints(project, context)}</div>
<div class="stack">${isWhole && html`${drawProjectForecast(project.forecast)}${project.use.currency === null && project.use.pending.length === 0 && priceBox()}`}${drawFacts(project, context)}</div></div>
${isWhole && drawWhatIf(project.what_if, context)}`;
}

function drawFacts(project: ProjectAnswer, { now }: Context): Markup {
  const { account, project_id, region_id, pg_version, owner_id, org_name, org_id } = project;
  const organisation = org_name ?? org_id;
  return textCard(
    'About it',
    html`<dl class="facts">
<dt>Project</dt><dd><code class="id">${shownName(project_id)}</code></dd>
<dt>Account</dt><dd>${account}</dd>
${region_id !== null && html`<dt>Region</dt><dd>${shownName(region_id)}</dd>`}
${pg_version !== null && html`<dt>Postgres</dt><dd>${shownName(pg_version)}</dd>`}
<dt>Created</dt><dd>${instant(project.created_at, 'not known')}</dd>
${organisation !== null && html`<dt>Organisation</dt><dd>${shownName(organisation)}</dd>`}
${owner_id !== null && html`<dt>Owner</dt><dd class="id">${shownName(owner_id)}</dd>`}
<dt>Read</dt><dd>${ago(project.last_read_at, now, 'not yet: it is still to be imported')}</dd>
</dl>`,
    { isFolded: true, end: 'one click selects an id' },
  );
}

function drawEndpoints({ endpoints, endpoints_left_out }: ProjectAnswer, { now }: Context): Markup {
  return card(
    'Endpoints',
    html`${onTap(
      `${countOf(endpoints.length, 'endpoint')} with branch, state and size`,
      table({
        caption: 'Endpoints of the project',
        whenEmpty: 'It has no endpoint that is known.',
        isStacked: true,
        rows: endpoints,
        columns: [
          {
            title: 'Endpoint',
            show: ({ endpoint_id }) => html`<code class="id">${shownName(endpoint_id)}</code>`,
          },
          {
            title: 'Branch',
            show: ({ branch_id }) => html`<code class="id">${shownName(branch_id ?? '')}</code>`,
          },
          { title: 'State', show: each => showState(each) },
          { title: 'Size', show: each => showSize(each) },
          { title: 'Last used', show: ({ last_active }) => ago(last_active, now) },
        ],
      }),
    )}
${endpoints_left_out > 0 && html`<footer>${showNumber(endpoints_left_out)} more, gone for longer, are not shown.</footer>`}`,
    { id: 'endpoints' },
  );
}

function showState({ state, pending_state, gone_at }: EndpointAnswer): Markup {
  if (gone_at !== null) return html`<span class="pill">gone</span> ${instant(gone_at)}`;
  const dot = state === 'active' ? 'dot' : 'dot off';
  return html`<span class="pill"><i class=${dot}></i>${sayEndpointState(state)}</span>${pending_state !== null && html` to ${sayEndpointState(pending_state)}`}`;
}

function showSize({ min_cu, max_cu }: EndpointAnswer): string {
  if (min_cu === null) return 'not known';
  return max_cu === null || max_cu === min_cu ? `${min_cu} CU` : `${min_cu} to ${max_cu} CU`;
}

/** What is in progress and what failed come before all others. */
function drawOperations(project: ProjectAnswer, { now, path, query }: Context): Markup {
  const { open_operations, failed_operations } = project;
  const { operations, next_cursor } = project.operations;
  const { account, project_id, cursor, ...state } = query;
  const urgent = cursor === '' ? [...open_operations, ...failed_operations] : [];
  const first = new Set(urgent.map(({ operation_id }) => operation_id));
  const all = [...urgent, ...operations.filter(({ operation_id }) => !first.has(operation_id))];
  return card(
    'Operations',
    html`${operationTable({ caption: 'Operations of the project: in progress, failed in 30 days, and then the newest', operations: all, whenEmpty: 'No operation is known.', now, isOfProject: true, firstRows: 4 })}
<footer>${pager({ path: pathOf('projects', account, project_id) || path, state, cursor, nextCursor: next_cursor, shown: all.length, noun: 'operations', anchor: 'operations' })}</footer>`,
    {
      id: 'operations',
      beside: html`<span class="m">${urgent.length > 0 ? 'in progress and failed first, then the newest' : 'the newest first'}</span>`,
      end: html`<a class="a" href=${addressOf('/operations', { account, project: project_id, status: 'all', range: '30d' })}>all of 30 days</a>`,
    },
  );
}
