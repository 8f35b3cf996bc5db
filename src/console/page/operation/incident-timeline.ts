import { minuteMs, secondMs } from '../../../resources/duration.ts';
import { drawChart } from '../../part/chart/chart.ts';
import type { ChartStep, Lane } from '../../part/chart/declaration.ts';
import type { Markup } from '../../part/html.ts';
import { showAge } from '../../part/instant.ts';
import { shownName } from '../../part/shown-text.ts';
import { wakefulness } from '../project/state-fold.ts';
import type { LaneAnswer } from '../project/timeline-schema.ts';
import type { IncidentAnswer } from './incident-answer.ts';

/** Slices of a chart that can be pointed at. */
const sliceMs = 10 * minuteMs;
const tickMs = 30 * minuteMs;
const momentSlices = 12;

/** The states of all endpoints of the project around an operation. */
export function drawAround(answer: IncidentAnswer): Markup {
  const { timeline, operation } = answer;
  const [fromAt, untilAt] = [Date.parse(timeline.from), Date.parse(timeline.until)];
  const steps = sliceTime(fromAt, untilAt, sliceMs, 5);
  const own = timeline.endpoints.filter(({ endpoint_id }) => endpoint_id === operation.endpoint_id);
  const others = timeline.endpoints.filter(each => !own.includes(each));
  const beganAt = operation.created_at === null ? null : Date.parse(operation.created_at);
  return drawChart({
    id: 'around',
    label: `States of the endpoints of the project from ${timeline.from.slice(11, 16)} to ${timeline.until.slice(11, 16)} UTC`,
    stepNoun: 'from',
    steps,
    ticks: roundTicks(fromAt, untilAt, tickMs),
    lanes: [...own, ...others].map(each => laneOf(each, steps, own.includes(each))),
    ...(beganAt !== null && {
      annotations: [{ at: beganAt, words: `${shownName(operation.action)} ${shownName(operation.status)}` }],
    }),
  });
}

function laneOf(lane: LaneAnswer, steps: readonly ChartStep[], isOwn: boolean): Lane {
  const { endpoint_id, life, intervals, columns, marks } = lane;
  return {
    name: shownName(endpoint_id),
    ...(isOwn && { detail: 'this one' }),
    life: { fromAt: Date.parse(life.from), untilAt: Date.parse(life.until) },
    ...(intervals !== null && { spans: intervals.map(spanOf) }),
    ...(columns !== null && { columns: { awake: columns.awake_percent, unknown: columns.unknown_percent } }),
    marks: marks
      .filter(({ kind }) => kind === 'failed' || kind === 'other')
      .map(({ kind, from, until }) => ({
        kind: kind === 'failed' ? 'failed' : 'other',
        fromAt: Date.parse(from),
        untilAt: Date.parse(until),
      })),
    said: steps.map(step => (intervals === null ? '' : sayStates(intervals, step))),
  };
}

interface Interval {
  readonly from: string;
  readonly until: string;
  readonly state: string;
}

const stateWords = { awake: 'awake', asleep: 'asleep', unknown: 'not known' } as const;

function wordOf(state: string): string {
  const kind = wakefulness(state);
  return kind === 'unknown' ? shownName(state) : stateWords[kind];
}

function spanOf({ from, until, state }: Interval) {
  const kind = wakefulness(state);
  return { fromAt: Date.parse(from), untilAt: Date.parse(until), kind, words: wordOf(state) };
}

/** The states of a slice in order, each with how long it was. */
function sayStates(intervals: readonly Interval[], { fromAt, untilAt }: ChartStep): string {
  return intervals
    .map(({ from, until, state }) => ({
      state,
      ms: Math.min(untilAt, Date.parse(until)) - Math.max(fromAt, Date.parse(from)),
    }))
    .filter(({ ms }) => ms > 0)
    .map(({ state, ms }) => `${wordOf(state)} ${showAge(ms)}`)
    .join(', ');
}

/** The operation itself, second by second, over the states of its endpoint. */
export function drawMoment(
  { operation, endpoint, awake_at }: IncidentAnswer,
  { from, until, intervals }: NonNullable<IncidentAnswer['moment']>,
): Markup {
  const [fromAt, untilAt] = [Date.parse(from), Date.parse(until)];
  const steps = sliceTime(fromAt, untilAt, Math.max(secondMs, (untilAt - fromAt) / momentSlices), 8);
  const beganAt = Date.parse(operation.created_at ?? from);
  const endedAt = operation.ended_at === null ? untilAt : Date.parse(operation.ended_at);
  const awakeAt = awake_at === null ? endedAt : Date.parse(awake_at);
  const words = `${shownName(operation.action)} ${shownName(operation.status)}, ${showAge(endedAt - beganAt)}`;
  return drawChart({
    id: 'moment',
    label: `The endpoint from ${from.slice(11, 19)} to ${until.slice(11, 19)} UTC: ${words}`,
    stepNoun: 'from',
    steps,
    ticks: [...new Set([beganAt, endedAt, awakeAt])]
      .filter(at => at < untilAt)
      .map(at => ({ at, text: clockOf(at, 8) })),
    annotations: [{ at: beganAt, words }],
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
  });
}

function sliceTime(fromAt: number, untilAt: number, ms: number, length: 5 | 8): readonly ChartStep[] {
  const count = Math.max(1, Math.ceil((untilAt - fromAt) / ms));
  return Array.from({ length: count }, (_, index) => {
    const beginsAt = fromAt + index * ms;
    return {
      name: `${clockOf(beginsAt, length)} UTC`,
      fromAt: beginsAt,
      untilAt: Math.min(untilAt, beginsAt + ms),
    };
  });
}

/** @param length characters of a time that are shown: 5 are minutes, 8 are seconds. */
function clockOf(at: number, length: 5 | 8): string {
  return new Date(at).toISOString().slice(11, 11 + length);
}

/** Round instants that are named below the axis. */
function roundTicks(fromAt: number, untilAt: number, ms: number) {
  const first = Math.ceil(fromAt / ms) * ms;
  return Array.from({ length: Math.max(0, Math.floor((untilAt - first) / ms) + 1) }, (_, index) => {
    const at = first + index * ms;
    return { at, text: clockOf(at, 5) };
  });
}
