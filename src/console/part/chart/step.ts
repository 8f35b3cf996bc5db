import type { StepUnit } from '../../../cost/calendar/step.ts';
import { dayMs, hourMs, minuteMs } from '../../../resources/duration.ts';
import type { WrittenStep } from '../../answer-field.ts';
import type { Chart, ChartStep } from './declaration.ts';

const dayFormat = new Intl.DateTimeFormat('en-GB', {
  weekday: 'short',
  day: 'numeric',
  month: 'short',
  timeZone: 'UTC',
});
const shortFormat = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });
const longFormat = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeZone: 'UTC' });
const monthFormat = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' });

/** A date of an answer as people read it: `Sat 21 Nov`. */
function dayName(date: string): string {
  return dayFormat.format(Date.parse(date)).replace(',', '');
}

/** A date of an answer where its year matters: `21 November 2026`. */
export function longDay(date: string): string {
  return longFormat.format(Date.parse(date));
}

/** A date without the day of its week: `21 Nov`. */
export function shortDay(date: string): string {
  return shortFormat.format(Date.parse(date));
}

const runningNames = { day: 'today', week: 'this week', month: 'this month' } as const;

/**
 * Steps of an answer as columns of a chart.
 *
 * @param knownUntilAt when figures end: the step that it is in is not over, and those after it are to come.
 */
export function chartSteps(
  steps: readonly WrittenStep[],
  unit: StepUnit,
  knownUntilAt: number,
  linkOf?: (step: WrittenStep) => string,
): readonly ChartStep[] {
  return steps.map(step => {
    const [fromAt, untilAt] = [Date.parse(step.from), Date.parse(step.until)];
    const state = fromAt >= knownUntilAt ? 'expected' : untilAt >= knownUntilAt ? 'running' : undefined;
    return {
      name: nameOf(step.label, unit),
      tick: state === 'running' ? runningNames[unit] : tickOf(step.label, unit),
      ...{ fromAt, untilAt },
      ...(state !== undefined && { state }),
      ...(linkOf !== undefined && state !== 'expected' && { href: linkOf(step) }),
    };
  });
}

/** Words for a step that is a part of its unit: `today, so far`, `from 22:58`; undefined for a whole one. */
export function sayPart({ tick, state, since }: ChartStep): string | undefined {
  const soFar = state === 'running' && (tick === undefined ? 'so far' : `${tick}, so far`);
  return [since, soFar].filter(Boolean).join(', ') || undefined;
}

/** The steps of a whole period: the one that is not over has its own end. */
export function joinSteps(
  steps: readonly WrittenStep[],
  toCome: readonly WrittenStep[],
): readonly WrittenStep[] {
  const [first, ...others] = toCome;
  const last = steps.at(-1);
  if (first === undefined || last === undefined) return [...steps, ...toCome];
  const isSame = first.label === last.label;
  return [
    ...steps.slice(0, -1),
    { ...last, until: isSame ? first.until : last.until },
    ...(isSame ? others : toCome),
  ];
}

function nameOf(label: string, unit: StepUnit): string {
  if (unit === 'month') return monthFormat.format(Date.parse(`${label}-01`));
  return unit === 'week' ? `week from ${shortDay(label)}` : dayName(label);
}

function tickOf(label: string, unit: StepUnit): string {
  return unit === 'month' ? monthFormat.format(Date.parse(`${label}-01`)) : shortDay(label);
}

const tickSteps = [
  ...[10 * minuteMs, 30 * minuteMs, hourMs, 3 * hourMs, 6 * hourMs, 12 * hourMs],
  ...[dayMs, 2 * dayMs, 7 * dayMs, 14 * dayMs, 28 * dayMs, 56 * dayMs],
];
const mostTimeTicks = 8;

/** Round instants of a stretch of time, by UTC. */
export function timeTicks(fromAt: number, untilAt: number): NonNullable<Chart['ticks']> {
  const unit = tickSteps.find(each => (untilAt - fromAt) / each <= mostTimeTicks) ?? 56 * dayMs;
  const first = Math.ceil(fromAt / unit) * unit;
  const count = Math.floor((untilAt - first) / unit) + 1;
  return Array.from({ length: count }, (_, index) => {
    const at = first + index * unit;
    const date = new Date(at).toISOString();
    return { at, text: at % dayMs === 0 ? shortDay(date) : date.slice(11, 16) };
  });
}

const sliceUnits = [
  ...[1, 5, 15, 30].map(count => count * minuteMs),
  ...[1, 2, 4, 12].map(count => count * hourMs),
  ...[1, 2, 3, 6, 12].map(count => count * dayMs),
];

/** How many slices a stretch of time is cut into, each as long as a round unit, about. */
export function countSlices(fromAt: number, untilAt: number, most: number): number {
  const unit = sliceUnits.find(each => (untilAt - fromAt) / each <= most) ?? dayMs;
  return Math.min(most, Math.max(1, Math.round((untilAt - fromAt) / unit)));
}

/**
 * Equal slices of a stretch of time, as long as a round unit, about, each with the page that shows it alone.
 *
 * @param most number of slices.
 */
export function timeSlices(
  fromAt: number,
  untilAt: number,
  most: number,
  linkOf: (fromAt: number, untilAt: number) => string | undefined,
): readonly ChartStep[] {
  const count = countSlices(fromAt, untilAt, most);
  const ms = (untilAt - fromAt) / count;
  return Array.from({ length: count }, (_, index) => {
    const [begin, end] = [Math.round(fromAt + index * ms), Math.round(fromAt + (index + 1) * ms)];
    const href = linkOf(begin, end);
    return { name: sliceName(begin, end), fromAt: begin, untilAt: end, ...(href !== undefined && { href }) };
  });
}

function sliceName(fromAt: number, untilAt: number): string {
  const [from, until] = [new Date(fromAt).toISOString(), new Date(untilAt).toISOString()];
  const time = (at: string) => at.slice(11, 16);
  if (untilAt - fromAt >= dayMs)
    return `${dayName(from)}, ${time(from)} to ${dayName(until)}, ${time(until)}`;
  return `${dayName(from)}, ${time(from)} to ${time(until)}`;
}
