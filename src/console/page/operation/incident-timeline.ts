import { type Span, secondMs } from '../../../resources/duration.ts';
import { drawChart } from '../../part/chart/chart.ts';
import type { ChartStep, Lane } from '../../part/chart/declaration.ts';
import { timeSlices, timeTicks } from '../../part/chart/step.ts';
import { sayEndpointState, wakefulness } from '../../part/endpoint-state.ts';
import { html, type Markup } from '../../part/html.ts';
import { showAge } from '../../part/instant.ts';
import { shownName } from '../../part/shown-text.ts';
import { table } from '../../part/table.ts';
import { marksOf } from '../project/drawn-timeline.ts';
import { timelineTables } from '../project/drawn-timeline-table.ts';
import type { LaneAnswer } from '../project/timeline-schema.ts';
import type { IncidentAnswer } from './incident-answer.ts';
import type { OperationAnswer } from './operation-answer.ts';

/** Slices of a chart that can be pointed at. */
const aroundSlices = 18;
const momentSlices = 12;

/** The states of all endpoints of the project around an operation. */
export function drawAround(answer: IncidentAnswer): Markup {
  const { timeline, operation } = answer;
  const [fromAt, untilAt] = [Date.parse(timeline.from), Date.parse(timeline.until)];
  const steps = timeSlices(fromAt, untilAt, aroundSlices, () => undefined);
  const own = timeline.endpoints.filter(({ endpoint_id }) => endpoint_id === operation.endpoint_id);
  const others = timeline.endpoints.filter(each => !own.includes(each));
  const beganAt = operation.created_at === null ? null : Date.parse(operation.created_at);
  const isStuck = operation.outcome === 'stuck' && own.length > 0;
  return drawChart({
    id: 'around',
    label: `States of the endpoints of the project from ${timeline.from.slice(0, 16).replace('T', ' ')} to ${timeline.until.slice(0, 16).replace('T', ' ')} UTC`,
    stepNoun: 'from',
    steps,
    ticks: timeTicks(fromAt, untilAt),
    lanes: [
      ...own.map(each => ownLaneOf(each, steps, operation, untilAt)),
      ...others.map(each => laneOf(each, steps)),
    ],
    // A stuck operation is drawn with its own words.
    ...(beganAt !== null &&
      !isStuck && {
        annotations: [
          { at: beganAt, words: `${shownName(operation.action)} ${shownName(operation.status)}` },
        ],
      }),
    table: timelineTables(timeline),
  });
}

/** The lane of the endpoint that the operation is of; one that is stuck is drawn until now, and is no other operation. */
function ownLaneOf(
  lane: LaneAnswer,
  steps: readonly ChartStep[],
  { action, outcome, created_at }: OperationAnswer,
  untilAt: number,
): Lane {
  const own = { ...laneOf(lane, steps), detail: 'this one' };
  if (outcome !== 'stuck' || created_at === null) return own;
  const fromAt = Date.parse(created_at);
  return {
    ...own,
    marks: own.marks.filter(mark => mark.fromAt !== fromAt || mark.untilAt !== fromAt),
    stuck: [{ fromAt, untilAt, words: `${shownName(action)} stuck` }],
  };
}

function laneOf(lane: LaneAnswer, steps: readonly ChartStep[]): Lane {
  const { endpoint_id, life, intervals, columns, marks } = lane;
  return {
    name: shownName(endpoint_id),
    life: { fromAt: Date.parse(life.from), untilAt: Date.parse(life.until) },
    ...(intervals !== null && { spans: intervals.map(spanOf) }),
    ...(columns !== null && { columns: { awake: columns.awake_percent, unknown: columns.unknown_percent } }),
    marks: marksOf(marks),
    said: steps.map(step => (intervals === null ? '' : sayStates(intervals, step))),
  };
}

interface Interval {
  readonly from: string;
  readonly until: string;
  readonly state: string;
}

function spanOf({ from, until, state }: Interval) {
  const [kind, words] = [wakefulness(state), sayEndpointState(state)];
  return { fromAt: Date.parse(from), untilAt: Date.parse(until), kind, words };
}

/** The states of a slice in order, each with how long it was. */
function sayStates(intervals: readonly Interval[], { fromAt, untilAt }: ChartStep): string {
  return intervals
    .map(({ from, until, state }) => ({
      state,
      ms: Math.min(untilAt, Date.parse(until)) - Math.max(fromAt, Date.parse(from)),
    }))
    .filter(({ ms }) => ms > 0)
    .map(({ state, ms }) => `${sayEndpointState(state)} ${showAge(ms)}`)
    .join(', ');
}

/** The operation itself, second by second, over the states of its endpoint. */
export function drawMoment(
  { operation, endpoint, awake_at, failed_starts }: IncidentAnswer,
  { from, until, intervals }: NonNullable<IncidentAnswer['moment']>,
): Markup {
  const [fromAt, untilAt] = [Date.parse(from), Date.parse(until)];
  const steps = momentSteps(fromAt, untilAt);
  const beganAt = Date.parse(operation.created_at ?? from);
  const endedAt = operation.ended_at === null ? untilAt : Date.parse(operation.ended_at);
  const awakeAt = awake_at === null ? endedAt : Date.parse(awake_at);
  const seriesAt = failed_starts === null ? beganAt : Date.parse(failed_starts.first);
  const firstAt = seriesAt < fromAt ? beganAt : seriesAt;
  const words = `${shownName(operation.action)} ${shownName(operation.status)}, ${showAge(endedAt - beganAt)}`;
  return drawChart({
    id: 'moment',
    label: `The endpoint from ${from.slice(11, 19)} to ${until.slice(11, 19)} UTC: ${words}`,
    stepNoun: 'from',
    steps,
    ticks: [...new Set([firstAt, beganAt, endedAt, awakeAt])]
      .filter(at => at < untilAt)
      .map(at => ({ at, text: clockOf(at) })),
    annotations: [
      ...(firstAt < beganAt ? [{ at: firstAt, words: 'first start failed' }] : []),
      { at: beganAt, words },
    ],
    lanes: [
      {
        name: shownName(endpoint?.endpoint_id ?? ''),
        life: { fromAt, untilAt },
        spans: intervals.map(spanOf),
        marks: [],
        stuck: [{ fromAt: beganAt, untilAt: Math.min(untilAt, endedAt), words: '' }],
        stuckNoun: 'the operation',
        said: steps.map(step => sayStates(intervals, step)),
      },
    ],
    table: momentTable([
      {
        fromAt: beganAt,
        untilAt: endedAt,
        words: `${shownName(operation.action)} ${shownName(operation.status)}`,
      },
      ...intervals.map(spanOf),
    ]),
  });
}

function momentTable(rows: readonly (Span & { readonly words: string })[]): Markup {
  return table({
    caption: 'The operation and the states of its endpoint, by UTC',
    rows: rows.toSorted((a, b) => a.fromAt - b.fromAt),
    columns: [
      { title: 'From', show: ({ fromAt }) => html`<span class="nw">${clockOf(fromAt)}</span>` },
      { title: 'State or operation', show: ({ words }) => words },
      { number: 'For', show: ({ fromAt, untilAt }) => showAge(untilAt - fromAt) },
    ],
  });
}

/** Slices of a second or longer, which the clock names. */
function momentSteps(fromAt: number, untilAt: number): readonly ChartStep[] {
  const ms = Math.max(secondMs, (untilAt - fromAt) / momentSlices);
  const count = Math.max(1, Math.ceil((untilAt - fromAt) / ms));
  return Array.from({ length: count }, (_, index) => {
    const beginsAt = fromAt + index * ms;
    return {
      name: `${clockOf(beginsAt)} UTC`,
      fromAt: beginsAt,
      untilAt: Math.min(untilAt, beginsAt + ms),
    };
  });
}

function clockOf(at: number): string {
  return new Date(at).toISOString().slice(11, 19);
}
