import { hourMs, type Span } from '../../../resources/duration.ts';
import type { DrawContext } from '../../page.ts';
import { addressOf } from '../../part/address.ts';
import { textCard } from '../../part/card.ts';
import { drawChart } from '../../part/chart/chart.ts';
import type { Lane } from '../../part/chart/declaration.ts';
import { timeSlices, timeTicks } from '../../part/chart/step.ts';
import { sayEndpointState, wakefulness } from '../../part/endpoint-state.ts';
import { html, type Markup } from '../../part/html.ts';
import { instant, showAge } from '../../part/instant.ts';
import { showNumber } from '../../part/number.ts';
import { shownName } from '../../part/shown-text.ts';
import { term } from '../../part/term.ts';
import { timelineTables } from './drawn-timeline-table.ts';
import { countMarks, sayLane, saySlice, sayThroughout } from './lane-text.ts';
import { rangesMs, stepsFrom } from './project-range.ts';
import type { ProjectAnswer, ProjectQuery } from './project-schema.ts';
import { mostSlicesOf } from './timeline-operation.ts';
import type { LaneAnswer, MarkAnswer, TimelineAnswer } from './timeline-schema.ts';

type Context = DrawContext<ProjectQuery>;

/** States and operations of the endpoints on one axis, and a table of the same. */
export function drawTimeline(project: ProjectAnswer, context: Context): Markup {
  const { timeline } = project;
  const { endpoints, endpoints_left_out, kept_from, operations_cut_at } = timeline;
  const range = stretchOf(timeline);
  const isAny = endpoints.length > 0 || timeline.operations.length > 0;
  return textCard(
    'When its endpoints were awake',
    html`<p class="s">${instant(timeline.from)} to ${instant(timeline.until)}. ${sayFailed(timeline)}</p>
${endpoints.length === 0 && html`<p class="m">No state of an endpoint is known in this time.</p>`}
${isAny && drawLanes(project, range, context)}
${kept_from !== null && sayKept(kept_from, timeline)}
${endpoints_left_out > 0 && html`<p class="notes">${showNumber(endpoints_left_out)} more endpoints, awake for less time, are not shown.</p>`}
${operations_cut_at !== null && html`<p class="notes">There are too many operations to mark all: before ${instant(operations_cut_at)} only failed ones are marked. Zoom in to see each.</p>`}`,
    { id: 'timeline', name: 'mid', beside: zoom(range, context) },
  );
}

function drawLanes(project: ProjectAnswer, range: Span, { path, query }: Context): Markup {
  const { timeline } = project;
  const { fromAt, untilAt } = range;
  const { endpoints, other_marks, other_counts } = timeline;
  const { suspend_after, min_cu } = query;
  const linkOf = (from: number, until: number) =>
    until - from < hourMs
      ? undefined
      : `${addressOf(path, { suspend_after, min_cu, from: new Date(from).toISOString(), until: new Date(until).toISOString() })}#timeline`;
  const steps = timeSlices(fromAt, untilAt, mostSlicesOf(endpoints), linkOf);
  const lanes = endpoints.map(each => laneOf(each, project, steps));
  const others: readonly Lane[] =
    other_marks.length === 0
      ? []
      : [
          {
            name: 'No endpoint above',
            detail: countMarks(other_marks, ['start', 'suspend', 'other', 'failed']),
            marks: marksOf(other_marks),
            said: steps.map((step, index) => saySlice({ counts: other_counts }, step, index)),
          },
        ];
  return drawChart({
    id: 'states',
    label: `States of the endpoints: ${endpoints.map(each => `${shownName(each.endpoint_id)} ${sayLane(each)}`).join('; ')}${others.map(({ detail }) => `; operations of no endpoint above: ${detail}`).join('')}`,
    steps,
    ticks: timeTicks(fromAt, untilAt),
    lanes: [...lanes, ...others],
    stepNoun: 'time',
    table: timelineTables(timeline),
  });
}

function laneOf(
  each: LaneAnswer,
  { timeline, open_operations }: ProjectAnswer,
  steps: ReturnType<typeof timeSlices>,
): Lane {
  const { endpoint_id, intervals, columns, marks, counts } = each;
  const range = stretchOf(timeline);
  const life = stretchOf(each.life);
  const spans = intervals?.map(({ state, ...of }) => {
    const stretch = stretchOf(of);
    const words = `${sayEndpointState(state)} ${showAge(stretch.untilAt - stretch.fromAt)}`;
    const throughout = intervals.length === 1 ? sayThroughout(each) : undefined;
    return { ...stretch, kind: wakefulness(state), words: throughout ?? words };
  });
  // One that began after this time did not hang in it.
  const stuck = open_operations.filter(
    ({ outcome, created_at, ...open }) =>
      open.endpoint_id === endpoint_id &&
      outcome === 'stuck' &&
      (created_at === null || Date.parse(created_at) < range.untilAt),
  );
  return {
    name: shownName(endpoint_id),
    detail: sayLane(each),
    life,
    spans,
    columns: columns ? { awake: columns.awake_percent, unknown: columns.unknown_percent } : undefined,
    faded: timeline.reconstructed ? stretchOf(timeline.reconstructed) : undefined,
    marks: marksOf(marks),
    stuck: stuck.map(({ action, created_at }) => ({
      fromAt: Math.max(range.fromAt, Date.parse(created_at ?? timeline.from)),
      untilAt: range.untilAt,
      words: `${shownName(action)} stuck`,
    })),
    said: steps.map((step, index) => saySlice({ counts, life, spans, columns, range }, step, index)),
  };
}

function stretchOf({ from, until }: { readonly from: string; readonly until: string }): Span {
  return { fromAt: Date.parse(from), untilAt: Date.parse(until) };
}

/** Starts and suspends are where the states change; marks are of what else was done. */
export function marksOf(marks: readonly MarkAnswer[]): Lane['marks'] {
  return marks.flatMap(({ kind, from, until }) =>
    kind === 'failed' || kind === 'other' ? [{ kind, ...stretchOf({ from, until }) }] : [],
  );
}

function sayFailed({ failed_count, is_failed_count_cut }: TimelineAnswer): string {
  const count = `${is_failed_count_cut ? 'More than ' : ''}${showNumber(failed_count)}`;
  return `${count} ${failed_count === 1 ? 'operation' : 'operations'} failed.`;
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

const rangeWords: Readonly<Record<ProjectQuery['range'], string>> = {
  '1h': '1 hour',
  '6h': '6 hours',
  '24h': '24 hours',
  '7d': '7 days',
  '30d': '30 days',
  '90d': '90 days',
  '1y': '1 year',
};

function zoom(range: Span, { path, query, now }: Context): Markup {
  const { account: _account, project_id: _id, from, until, range: named, cursor: _cursor, ...state } = query;
  const isNamed = from === '' && until === '';
  const to = (other: Span | undefined, words: string) =>
    other !== undefined &&
    html`<a href=${`${addressOf(path, { ...state, from: new Date(other.fromAt).toISOString(), until: new Date(other.untilAt).toISOString() })}#timeline`}>${words}</a>`;
  const steps = stepsFrom(range, now);
  const words = (Object.keys(rangesMs) as ProjectQuery['range'][]).sort((a, b) => rangesMs[a] - rangesMs[b]);
  return html`<nav class="acts end" aria-label="Range of the timeline"><span class="seg">${words.map(word => html`<a href=${`${addressOf(path, { ...state, range: word })}#timeline`} aria-current=${isNamed && word === named ? 'true' : null}>${rangeWords[word]}</a>`)}</span>
<span class="seg">${to(steps.earlier, '← earlier')}${to(steps.in, 'zoom in')}${to(steps.out, 'zoom out')}${to(steps.later, 'later →')}</span></nav>`;
}
