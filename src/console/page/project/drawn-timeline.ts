import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { lane } from '../../part/chart/lane.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { term } from '../../part/term.ts';
import { timelineTables } from './drawn-timeline-table.ts';
import { countMarks, drawnMark, partOf, sayInstant, sayLane, sayMarks } from './lane-text.ts';
import { type Range, rangesMs, stepsFrom } from './project-range.ts';
import type { ProjectQuery } from './project-schema.ts';
import { wakefulness } from './state-fold.ts';
import type { LaneAnswer, TimelineAnswer } from './timeline-schema.ts';

type Context = DrawContext<ProjectQuery>;

/** States and operations of the endpoints on one axis, with links to other ranges, and a table of the same. */
export function drawTimeline(timeline: TimelineAnswer, context: Context): Markup {
  const { endpoints, endpoints_left_out, kept_from, operations, operations_cut_at } = timeline;
  const range = { fromAt: Date.parse(timeline.from), untilAt: Date.parse(timeline.until) };
  const isAny = endpoints.length > 0 || operations.length > 0;
  return html`<h2 id="timeline">What its endpoints did</h2>
${zoom(range, context)}
<p>${instant(timeline.from)} to ${instant(timeline.until)}. ${sayFailed(timeline)}</p>
${endpoints.length === 0 && html`<p class="empty">No state of an endpoint is known in this time.</p>`}
${isAny && html`<div class="timeline">${endpoints.map(each => drawLane(each, timeline, range))}${drawOthers(timeline, range)}${axis(range)}</div>${legend}`}
${kept_from !== null && sayKept(kept_from, timeline)}
${endpoints_left_out > 0 && html`<p class="notes">${showNumber(endpoints_left_out)} more endpoints, awake for less time, are not shown.</p>`}
${operations_cut_at !== null && html`<p class="notes">There are too many operations to mark all: before ${instant(operations_cut_at)} only those that failed are marked. Zoom in to see each.</p>`}
${isAny && html`<details><summary>The same as a table</summary>${timelineTables(timeline)}</details>`}`;
}

function sayFailed({ failed_count, is_failed_count_cut }: TimelineAnswer): string {
  const count = `${is_failed_count_cut ? 'more than ' : ''}${showNumber(failed_count)}`;
  return `${count} ${failed_count === 1 ? 'operation' : 'operations'} failed.`.replace(/^m/, 'M');
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

const legend = html`<ul class="legend"><li><span class="swatch awake"></span> awake</li><li><span class="swatch asleep"></span> asleep</li><li><span class="swatch unknown"></span> not known</li><li><span class="swatch start"></span> start (above)</li><li><span class="swatch suspend"></span> suspend (below)</li><li><span class="swatch other"></span> other operation</li><li><span class="swatch failed"></span> failed operation</li></ul>`;

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

function drawLane(each: LaneAnswer, timeline: TimelineAnswer, range: Range): Markup {
  const part = partOf(range);
  const said = `${sayLane(each)}${sayMarks(each.marks)}`;
  return html`<p class="lane-title"><code>${shownName(each.endpoint_id)}</code> <span class="quiet">${said}</span></p>
${lane({
  label: `${shownName(each.endpoint_id)}: ${said}`,
  spans: each.intervals?.map(({ from, until, state }) => ({
    from: part(from),
    until: part(until),
    kind: wakefulness(state),
    title: `${state}, ${showAge(Date.parse(until) - Date.parse(from))} from ${sayInstant(from)}`,
  })),
  life: { from: part(each.life.from), until: part(each.life.until) },
  columns: each.columns && {
    awake: each.columns.awake_percent,
    unknown: each.columns.unknown_percent,
  },
  faded: timeline.reconstructed && {
    from: part(timeline.reconstructed.from),
    until: part(timeline.reconstructed.until),
  },
  marks: each.marks.map(mark => drawnMark(mark, part)),
})}`;
}

/** Operations of no lane have one of their own, without states. */
function drawOthers({ other_marks }: TimelineAnswer, range: Range): Markup | null {
  if (other_marks.length === 0) return null;
  const said = countMarks(other_marks, ['start', 'suspend', 'other', 'failed']);
  return html`<p class="lane-title">Operations of no endpoint above <span class="quiet">${said}</span></p>
${lane({
  label: `Operations of no endpoint above: ${said}`,
  columns: null,
  marks: other_marks.map(mark => drawnMark(mark, partOf(range))),
})}`;
}

/** Five instants, evenly along the axis. */
function axis({ fromAt, untilAt }: Range): Markup {
  const isShort = untilAt - fromAt <= 2 * 86_400_000;
  const at = [0, 0.25, 0.5, 0.75, 1].map(part => new Date(fromAt + part * (untilAt - fromAt)).toISOString());
  return html`<div class="ticks" aria-hidden="true">${at.map(each => html`<span>${isShort ? `${each.slice(5, 10)} ${each.slice(11, 16)}` : each.slice(0, 10)}</span>`)}</div>`;
}
