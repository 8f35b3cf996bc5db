import { dayMs } from '../../../resources/duration.ts';
import { drawOuterLinks } from '../../outer-link.ts';
import type { DrawContext, PageHead } from '../../page.ts';
import { addressOf, operationPath, pathOf } from '../../part/address.ts';
import { drawChart } from '../../part/chart/chart.ts';
import { shortDay } from '../../part/chart/step.ts';
import { codeBox } from '../../part/code-box.ts';
import { countOf } from '../../part/count-word.ts';
import { sayEndpointState } from '../../part/endpoint-state.ts';
import { type Content, html, type Markup } from '../../part/html.ts';
import { icon } from '../../part/icon.ts';
import { ago, clock, instant, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { onTap } from '../../part/on-tap.ts';
import { shownName, shownSentence } from '../../part/shown-text.ts';
import type { IncidentAnswer, IncidentQuery } from './incident-answer.ts';
import { drawAround, drawMoment } from './incident-timeline.ts';
import type { OperationAnswer } from './operation-answer.ts';
import { showLength, showOutcome, showTook } from './operation-table.ts';

type Context = DrawContext<IncidentQuery>;

/** The title is the sentence; beside it is how it stands. */
export function headOfIncident(answer: IncidentAnswer, { now }: Context): PageHead {
  const { operation, groups, without_compute_ms } = answer;
  const { account, project_id, project_name, action, created_at } = operation;
  const project = pathOf('projects', account, project_id);
  const name = shownName(project_name ?? project_id);
  return {
    crumb: html`<a href="/operations">Operations</a> / <a href=${project}>${name}</a>`,
    marks: html`${showOutcome(operation)}${without_compute_ms !== null && html`<span class="pill good">${icon('ok')}awake again</span>`}${groups.map(group => html`<span class="tag">${shownName(group.replace('/', ' '))}</span>`)}`,
    lead: html`<code>${shownName(action)}</code> of <strong>${name}</strong>, account ${shownName(account)}, begun ${ago(created_at, now, 'at a time not known')}.`,
    actions: html`${drawOuterLinks(answer.links)}<a class="btn" href=${project}>Open the project</a>`,
  };
}

export function drawIncident(answer: IncidentAnswer, context: Context): Markup {
  const { timeline, moment } = answer;
  return html`${tiles(answer, context)}
<div class="incident"><section class="card mb"><header><h2>Around that time</h2></header><div class="in">${timeline.endpoints.length === 0 ? html`<p class="m">No state of an endpoint is known in this time.</p>` : drawAround(answer)}</div>
${moment !== null && moment.intervals.length > 0 && html`<header><h2>The time itself</h2></header><div class="in">${onTap('State by state', drawMoment(answer, moment))}</div>`}</section>
<div class="g g3 inc">
<section class="card">${said('What it means', answer.meaning)}${answer.impact.length > 0 && said('Whom it hits', answer.impact)}<header><h2>Where</h2></header><div class="in">${onTap('Groups, region and endpoint', place(answer))}</div><header><h2>Did something change before?</h2></header><div class="in"><p>${changed(answer)}</p></div></section>
<section class="card first">${steps(answer)}<header><h2>Ids to copy</h2><span class="end s">one click selects</span></header><div class="in">${ids(answer)}</div>
<header><h2>The request that shows it</h2></header><div class="in">${onTap('Show it', html`${codeBox(answer.request)}<p class="s"><code>$KEY</code> is a key of the account.</p>`)}</div></section>
<section class="card"><header><h2>How often, in the 30 days until it</h2><span class="end s">${showNumber(answer.often.failed)} of ${showNumber(answer.often.ended)} failed</span></header><div class="in">${onTap('Each day', often(answer))}${later(answer)}</div>${failures(answer, context)}</section>
</div></div>
${elsewhere(answer, context)}`;
}

function tiles(answer: IncidentAnswer, { now }: Context): Markup {
  const { operation, endpoint, awake_at, without_compute_ms, failed_starts, often: counted } = answer;
  const { created_at, failures_count, outcome } = operation;
  const attempts =
    failures_count === 0
      ? 'no failed attempt'
      : `${showNumber(failures_count)} failed ${failures_count === 1 ? 'attempt' : 'attempts'} of this operation`;
  const clock = created_at?.slice(11, 19) ?? 'not known';
  const isOpen = outcome === 'stuck' || outcome === 'in_progress';
  const took = showLength(operation, now).replace(/ so far$/, '') || 'not known';
  return html`<section class="tiles" aria-label="Key figures">
${tile('When', clock, 'UTC', created_at !== null && html`${created_at.slice(0, 10)}, ${ago(created_at, now)}`)}
${tile('It took', took, isOpen && took !== 'not known' ? 'so far' : '', attempts)}
${
  without_compute_ms === null || awake_at === null
    ? tile(
        'Endpoint',
        endpoint === null ? 'none' : sayEndpointState(endpoint.state),
        '',
        endpoint === null ? 'It is of the project' : html`As last read ${ago(answer.read_at, now)}`,
      )
    : tile(
        'Without compute',
        showAge(without_compute_ms),
        '',
        sayOutage(failed_starts?.first ?? created_at, awake_at),
      )
}
${
  isOpen && counted.usual_ms !== null
    ? tile(
        'Usually it takes',
        showTook(counted.usual_ms),
        '',
        'Half of them in the 30 days until it took no longer',
      )
    : tile(
        'How often',
        showNumber(counted.failed),
        `of ${showNumber(counted.ended)} failed`,
        html`In the 30 days until it, of this action ${endpoint === null ? 'and project' : 'and endpoint'}`,
      )
}
</section>`;
}

/** The time without compute. Its beginning has a date where that is another day. */
function sayOutage(from: string | null, until: string): string {
  const clock = until.slice(11, 19);
  if (from === null) return `Until ${clock}`;
  const day = from.slice(0, 10) === until.slice(0, 10) ? '' : `${from.slice(0, 10)} `;
  return `${day}${from.slice(11, 19)} to ${clock} UTC`;
}

function tile(title: string, figure: Content, unit: string, detail: Content): Markup {
  return html`<div class="tile"><h2>${title}</h2><div class="v">${figure}${unit !== '' && html` <small>${unit}</small>`}</div><p class="x">${detail}</p></div>`;
}

function said(title: string, sentences: readonly string[]): Markup {
  return html`<header><h2>${title}</h2></header><div class="in">${sentences.map(each => html`<p>${shownSentence(each)}</p>`)}</div>`;
}

function steps({ next_steps, runbook }: IncidentAnswer): Markup {
  const list = html`<ol class="steps">${next_steps.map(step => html`<li><span><b>${step.do}.</b>${step.why !== null && html` ${step.why}`}</span></li>`)}</ol>`;
  return html`<header><h2>What to do next</h2>${runbook !== null && html`<a class="a end" href=${runbook}>Runbook</a>`}</header><div class="in">${next_steps.length === 0 ? html`<p>Nothing: it ended as it should.</p>` : list}</div>`;
}

function place(answer: IncidentAnswer): Markup {
  const { operation, endpoint, branch_name, groups, other_endpoints, other_endpoints_left_out } = answer;
  const branch = branch_name ?? operation.branch_id;
  return html`<dl class="facts">${groups.length > 0 && html`<dt>Groups</dt><dd>${groups.map(group => shownName(group.replace('/', ' '))).join(', ')}</dd>`}
<dt>Region</dt><dd>${shownName(operation.region_id ?? 'not known')}</dd>
${endpoint !== null && html`<dt>Endpoint</dt><dd><code>${shownName(endpoint.endpoint_id)}</code> <span class="s">${sizeOf(endpoint)}</span></dd>`}
${branch !== null && html`<dt>Branch</dt><dd>${shownName(branch)}</dd>`}
${other_endpoints.length > 0 && html`<dt>Beside it</dt>${other_endpoints.map(each => html`<dd class="more"><code>${shownName(each.endpoint_id)}</code> <span class="s">${each.state === null ? 'state not known' : sayEndpointState(each.state)}</span></dd>`)}`}
${other_endpoints_left_out > 0 && html`<dd class="more s">and ${showNumber(other_endpoints_left_out)} more</dd>`}</dl>`;
}

function sizeOf({ min_cu, max_cu }: NonNullable<IncidentAnswer['endpoint']>): string {
  if (max_cu === null) return '';
  return min_cu === null || min_cu === max_cu ? `${max_cu} CU` : `${min_cu} to ${max_cu} CU`;
}

function changed({ change_before: change, often: { from }, operation }: IncidentAnswer): Content {
  if (operation.endpoint_id === null) return 'It is of no endpoint.';
  return change === null
    ? html`No operation since ${instant(from)} changed the endpoint.`
    : html`The last one was <a href=${operationPath(change)}><code>${shownName(change.action)}</code></a>, ${shownName(change.status)}, at ${instant(change.created_at)}.`;
}

function ids({ operation }: IncidentAnswer): Markup {
  const { operation_id, project_id, endpoint_id, branch_id } = operation;
  const rows = [
    ['Operation', operation_id],
    ['Project', project_id],
    ['Endpoint', endpoint_id],
    ['Branch', branch_id],
  ] as const;
  return html`<dl class="facts">${rows.map(([title, id]) => id !== null && html`<dt>${title}</dt><dd><span class="id">${id.slice(0, 1000)}</span></dd>`)}</dl>`;
}

/** Operations of the action by day, and above them the ones that failed. */
function often({ often: { days, failed }, operation }: IncidentAnswer): Markup {
  const isRunning = (index: number) => index === days.length - 1;
  return drawChart({
    id: 'often',
    showTick: text => (Number.isInteger(Number(text)) ? String(Number(text)) : ''),
    label: `Operations ${shownName(operation.action)} by day, ${showNumber(failed)} of them failed`,
    stepNoun: 'day',
    size: 'small',
    steps: days.map(({ from }, index) => ({
      name: from.slice(0, 10),
      tick: shortDay(from),
      fromAt: Date.parse(from),
      untilAt: Date.parse(from) + dayMs,
      ...(isRunning(index) && { notes: ['until this operation began'] }),
    })),
    series: [
      {
        kind: 'bars',
        name: 'ended well',
        tone: 0,
        values: days.map(each => String(each.ended - each.failed)),
      },
      { kind: 'bars', name: 'failed', tone: 'failed', values: days.map(each => String(each.failed)) },
    ],
  });
}

/** Where those are counted that came after it. */
function later({ operation: { account, project_id, action } }: IncidentAnswer): Markup {
  const state = { range: '30d', status: 'failed', account, project: project_id, action };
  return html`<p>The list has <a href=${addressOf('/operations', state)}>those of the project that failed in the last 30 days</a>, later ones too.</p>`;
}

/** Failures of the project from before and after, the newest first. */
function failures({ failed_before, failed_since }: IncidentAnswer, { now }: Context): Markup {
  const failed = [...failed_since, ...failed_before];
  return html`<header><h2>What else failed in this project</h2>${failed_since.length > 0 && html`<span class="end s">${showNumber(failed_since.length)} after this one</span>`}</header>${
    failed.length === 0
      ? html`<div class="in"><p>Nothing, from 30 days before it until now.</p></div>`
      : onTap(
          countOf(failed.length, 'operation'),
          html`<ul class="rows">${failed.map(each => html`<li class="two"><span class="t"><a href=${operationPath(each)}><b>${shownName(each.action)}</b></a> <span class="s">${shownName(each.endpoint_id ?? '')}</span></span><span class="r">${each.created_at !== null && clock(each.created_at, now)}</span></li>`)}</ul>`,
        )
  }`;
}

function elsewhere(answer: IncidentAnswer, { now }: Context): Markup {
  const { elsewhere: found, operation, stuck_elsewhere: stuck } = answer;
  if (stuck !== null) {
    const are = stuck.count < 2 ? 'operation of another project is' : 'operations of other projects are';
    const sentence = `${stuck.count === 0 ? 'No' : showNumber(stuck.count)} ${are} stuck.`;
    return html`<section class="card mb"><header><h2>Is it only this project?</h2></header>
<div class="in"><p>${sentence}</p></div>${stuck.operations.length > 0 && onTap('Which', html`<ul class="rows">${stuck.operations.map(each => otherRow(each, `${shownName(each.action)}, ${shownName(each.region_id ?? '')}`, html`begun ${ago(each.created_at, now, '')}`))}</ul>`)}</section>`;
  }
  const list = addressOf('/operations', { status: 'failed', action: operation.action, range: '30d' });
  return html`<section class="card mb"><header><h2>Is it only this project?</h2>${found.count > 0 && html`<a class="a end" href=${list}>The list</a>`}</header>
<div class="in"><p>${sayElsewhere(found, operation)}</p></div>${found.operations.length > 0 && onTap('Which', html`<ul class="rows">${found.operations.map(each => otherRow(each, shownName(each.region_id ?? ''), ago(each.ended_at ?? each.created_at, now, '')))}</ul>`)}</section>`;
}

function sayElsewhere(
  { count, is_count_cut, regions }: IncidentAnswer['elsewhere'],
  { action, region_id }: OperationAnswer,
): string {
  const name = shownName(action);
  if (count === 0) return `No ${name} failed on another project within 12 hours of it.`;
  const many = `${is_count_cut ? 'More than ' : ''}${showNumber(count)}`;
  const [only] = regions;
  const where =
    only !== undefined && regions.length === 1 ? shownName(only) : `${showNumber(regions.length)} regions`;
  const failed = `${count === 1 ? 'One' : many} other ${name} failed within 12 hours of it, in ${where}.`;
  return region_id === null || regions.includes(region_id)
    ? failed
    : `${failed} None is in ${shownName(region_id)}.`;
}

/** An operation of another project. */
function otherRow(each: OperationAnswer, said: string, at: Content): Markup {
  return html`<li class="two"><span class="t"><a href=${operationPath(each)}><b>${shownName(each.project_name ?? each.project_id)}</b></a> <span class="s">${said}</span></span><span class="r">${at}</span></li>`;
}
