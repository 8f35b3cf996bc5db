import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { lane } from '../../part/chart/lane.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant, showAge } from '../../part/instant.ts';
import { showNumber, showShare } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { term } from '../../part/term.ts';
import { type Range, rangesMs, stepsFrom } from './project-range.ts';
import type { LaneAnswer, ProjectQuery, TimelineAnswer } from './project-schema.ts';
import { wakefulness } from './state-fold.ts';

type Context = DrawContext<ProjectQuery>;

/** States of the endpoints on one axis, with links to other ranges, and a table of the same. */
export function drawTimeline(timeline: TimelineAnswer, context: Context): Markup {
  const { endpoints, endpoints_left_out, failed_operations, is_failed_cut, kept_from } = timeline;
  const range = { fromAt: Date.parse(timeline.from), untilAt: Date.parse(timeline.until) };
  const failures = `${is_failed_cut ? 'more than ' : ''}${showNumber(failed_operations.length)}`;
  return html`<h2 id="timeline">What its endpoints did</h2>
${zoom(range, context)}
<p>${instant(timeline.from)} to ${instant(timeline.until)}. ${failures} ${failed_operations.length === 1 ? 'operation' : 'operations'} failed.</p>
${endpoints.length === 0 && html`<p class="empty">No state of an endpoint is known in this time.</p>`}
${endpoints.length > 0 && html`<div class="timeline">${endpoints.map(each => drawLane(each, timeline, range))}${axis(range)}</div>${legend}`}
${kept_from !== null && sayKept(kept_from, timeline)}
${endpoints_left_out > 0 && html`<p class="notes">${showNumber(endpoints_left_out)} more endpoints, awake for less time, are not shown.</p>`}
${endpoints.length > 0 && html`<details><summary>The same as a table</summary>${laneTable(endpoints)}${endpoints.map(intervalTable)}${failureTable(timeline)}</details>`}`;
}

/** A sentence on the time before states are kept. */
function sayKept(kept_from: string, { reconstructed, operations_kept_from }: TimelineAnswer): Markup {
  return html`<p class="notes">States are kept only from ${instant(kept_from)} on (<code>history.keep_samples</code>). ${
    reconstructed !== null &&
    html`From ${instant(reconstructed.from)} until then, where the colours are faded, they are ${term('reconstructed')} from operations: when endpoints were started and suspended. `
  }${
    operations_kept_from !== null &&
    html`Operations are kept only from ${instant(operations_kept_from)} on (<code>history.keep_operations</code>): of the time before there is what was used <a href="#use">by day</a> alone.`
  }</p>`;
}

const legend = html`<ul class="legend"><li><span class="swatch awake"></span> awake</li><li><span class="swatch asleep"></span> asleep</li><li><span class="swatch unknown"></span> not known</li><li><span class="swatch start"></span> start (above)</li><li><span class="swatch suspend"></span> suspend (below)</li><li><span class="swatch failed"></span> failed operation</li></ul>`;

const rangeWords: Readonly<Record<ProjectQuery['range'], string>> = {
  '1h': '1 hour',
  '6h': '6 hours',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
};

function zoom(range: Range, { path, query, now }: Context): Markup {
  const { account: _account, project_id: _id, from, until, range: named, cursor: _cursor, ...state } = query;
  const isNamed = from === '' && until === '';
  const to = (other: Range | undefined, words: string) =>
    other === undefined
      ? html`<span class="quiet">${words}</span>`
      : html`<a href=${addressOf(path, { ...state, from: new Date(other.fromAt).toISOString(), until: new Date(other.untilAt).toISOString() })}>${words}</a>`;
  const steps = stepsFrom(range, now);
  const words = (Object.keys(rangesMs) as ProjectQuery['range'][]).sort((a, b) => rangesMs[a] - rangesMs[b]);
  return html`<nav class="zoom" aria-label="Range of the timeline"><span>${words.map(word => html`<a href=${addressOf(path, { ...state, range: word })} aria-current=${isNamed && word === named ? 'true' : null}>${rangeWords[word]}</a> `)}</span>
<span>${to(steps.earlier, '← earlier')} ${to(steps.in, 'zoom in')} ${to(steps.out, 'zoom out')} ${to(steps.later, 'later →')}</span></nav>`;
}

function drawLane(each: LaneAnswer, timeline: TimelineAnswer, { fromAt, untilAt }: Range): Markup {
  const part = (at: string) => (Date.parse(at) - fromAt) / (untilAt - fromAt);
  const own = timeline.failed_operations.filter(
    ({ endpoint_id }) =>
      endpoint_id === each.endpoint_id || (endpoint_id === null && timeline.endpoints[0] === each),
  );
  const said = sayLane(each);
  return html`<p class="lane-title"><code>${shownName(each.endpoint_id)}</code> <span class="quiet">${said}</span></p>
${lane({
  label: `${shownName(each.endpoint_id)}: ${said}`,
  spans: each.intervals?.map(({ from, until, state }) => ({
    from: part(from),
    until: part(until),
    kind: wakefulness(state),
    title: `${state}, ${showAge(Date.parse(until) - Date.parse(from))} from ${sayInstant(from)}`,
  })),
  columns: each.columns && {
    awake: each.columns.awake_percent,
    unknown: each.columns.unknown_percent,
  },
  faded: timeline.reconstructed && {
    from: part(timeline.reconstructed.from),
    until: part(timeline.reconstructed.until),
  },
  failures: own.map(({ at, action, status }) => ({
    at: part(at),
    title: `${action} ${status}, ${sayInstant(at)}`,
  })),
})}`;
}

function sayInstant(at: string): string {
  return `${at.slice(0, 10)} ${at.slice(11, 16)} UTC`;
}

function shareOf(each: LaneAnswer, ms: number): string {
  return showShare(ms / Math.max(1, each.awake_ms + each.asleep_ms + each.unknown_ms));
}

function sayLane(each: LaneAnswer): string {
  const count = (value: number, noun: string) => `${showNumber(value)} ${noun}${value === 1 ? '' : 's'}`;
  const isPartUnknown = shareOf(each, each.unknown_ms) !== showShare(0);
  const unknown = isPartUnknown ? `, ${shareOf(each, each.unknown_ms)} not known` : '';
  return `awake ${shareOf(each, each.awake_ms)}, asleep ${shareOf(each, each.asleep_ms)}${unknown}; ${count(each.starts, 'start')}, ${count(each.suspends, 'suspend')}`;
}

/** Five instants, evenly along the axis. */
function axis({ fromAt, untilAt }: Range): Markup {
  const isShort = untilAt - fromAt <= 2 * 86_400_000;
  const at = [0, 0.25, 0.5, 0.75, 1].map(part => new Date(fromAt + part * (untilAt - fromAt)).toISOString());
  return html`<div class="ticks" aria-hidden="true">${at.map(each => html`<span>${isShort ? `${each.slice(5, 10)} ${each.slice(11, 16)}` : each.slice(0, 10)}</span>`)}</div>`;
}

function laneTable(lanes: readonly LaneAnswer[]): Markup {
  return table({
    caption: 'What each endpoint did in this time',
    whenEmpty: '',
    rows: lanes,
    columns: [
      { title: 'Endpoint', show: ({ endpoint_id }) => html`<code>${shownName(endpoint_id)}</code>` },
      {
        title: 'Awake',
        isNumber: true,
        show: each => `${showAge(each.awake_ms)} (${shareOf(each, each.awake_ms)})`,
      },
      {
        title: 'Asleep',
        isNumber: true,
        show: each => `${showAge(each.asleep_ms)} (${shareOf(each, each.asleep_ms)})`,
      },
      { title: 'Not known', isNumber: true, show: each => showAge(each.unknown_ms) },
      { title: 'Starts', isNumber: true, show: ({ starts }) => showNumber(starts) },
      { title: 'Suspends', isNumber: true, show: ({ suspends }) => showNumber(suspends) },
    ],
  });
}

const mostRows = 60;

function intervalTable({ endpoint_id, intervals, columns }: LaneAnswer): Markup | null {
  if (columns !== null) {
    return html`<p class="notes">${shownName(endpoint_id)} changed its state too often to list each time here: zoom in to see each.</p>`;
  }
  const rows = (intervals ?? []).toReversed();
  return html`<h3>${shownName(endpoint_id)}</h3>${table({
    caption: `States of ${shownName(endpoint_id)}, the newest first`,
    whenEmpty: '',
    rows: rows.slice(0, mostRows),
    columns: [
      { title: 'From', show: ({ from }) => instant(from) },
      { title: 'State', show: ({ state }) => shownName(state) },
      {
        title: 'For',
        isNumber: true,
        show: ({ from, until }) => showAge(Date.parse(until) - Date.parse(from)),
      },
    ],
  })}${rows.length > mostRows && html`<p class="notes">${showNumber(rows.length - mostRows)} older ones are left out: zoom in to see each.</p>`}`;
}

function failureTable({ failed_operations }: TimelineAnswer): Markup | null {
  if (failed_operations.length === 0) return null;
  return html`<h3>Failed operations</h3>${table({
    caption: 'Operations that failed in this time, the newest first',
    whenEmpty: '',
    rows: failed_operations.slice(0, mostRows),
    columns: [
      { title: 'When', show: ({ at }) => instant(at) },
      { title: 'Action', show: ({ action }) => shownName(action) },
      { title: 'Result', show: ({ status }) => shownName(status) },
      { title: 'Endpoint', show: ({ endpoint_id }) => html`<code>${shownName(endpoint_id ?? '')}</code>` },
    ],
  })}`;
}
