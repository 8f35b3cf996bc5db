import { dayMs, hourMs, minuteMs } from '../../resources/duration.ts';
import type { AwakeSpan } from '../../resources/endpoint-history.ts';
import type { Period } from '../calendar/calendar.ts';
import { findRecurrence } from '../finding/recurrence.ts';
import type { ComparedPeriods } from './compared-past.ts';

/** Wakes that repeat on a period. */
export interface WakeSchedule {
  readonly periodMs: number;
  /** In order of time. */
  readonly beats: readonly AwakeSpan[];
}

/** Beats that are missing are looked past, so many in a row. */
const missingBeats = 3;
/** Beats that are a day together: fewer of a short period come by chance. */
const leastMs = dayMs;
/** Two schedules whose periods are so near each other are one. */
const samePart = 0.02;
/** Parts of a period that are looked at where the whole has no schedule: one may have begun or ended within it. */
const partsLookedAt = [1, 0.75, 0.5, 0.25];

/** Finds what wakes an endpoint on a schedule in one of two periods, or in part of it, with all beats of both. */
export function findSchedules(
  wakes: readonly AwakeSpan[],
  { before, after }: ComparedPeriods,
): WakeSchedule[] {
  const [inBefore, inAfter] = [wakesIn(wakes, before), wakesIn(wakes, after)];
  const headOf = (part: number) => ({
    ...before,
    untilAt: before.fromAt + part * (before.untilAt - before.fromAt),
  });
  const tailOf = (part: number) => ({
    ...after,
    fromAt: after.untilAt - part * (after.untilAt - after.fromAt),
  });
  const first = findIn(wakes, inBefore, headOf) ?? findIn(wakes, unusualIn(inBefore, inAfter), headOf);
  const last = findIn(wakes, inAfter, tailOf) ?? findIn(wakes, unusualIn(inAfter, inBefore), tailOf);
  if (first === undefined || last === undefined) return [first ?? last ?? []].flat();
  const isSame = Math.abs(first.periodMs / last.periodMs - 1) <= samePart;
  if (!isSame) return [first, { ...last, beats: last.beats.filter(beat => !first.beats.includes(beat)) }];
  const beats = new Set([...first.beats, ...last.beats]);
  return [{ periodMs: last.periodMs, beats: wakes.filter(wake => beats.has(wake)) }];
}

function wakesIn(wakes: readonly AwakeSpan[], { fromAt, untilAt }: Period): AwakeSpan[] {
  return wakes.filter(wake => wake.fromAt >= fromAt && wake.fromAt < untilAt);
}

/** Wakes in hours of the week in which there are none of the others: a job shows when nobody else is there. */
function unusualIn(wakes: readonly AwakeSpan[], others: readonly AwakeSpan[]): AwakeSpan[] {
  const slotOf = ({ fromAt }: AwakeSpan) => {
    const date = new Date(fromAt);
    return `${date.getUTCHours()} ${date.getUTCDay() % 6 === 0}`;
  };
  const usual = new Set(others.map(slotOf));
  return wakes.filter(wake => !usual.has(slotOf(wake)));
}

/** @param looked those of all wakes in which a schedule is looked for. */
function findIn(
  wakes: readonly AwakeSpan[],
  looked: readonly AwakeSpan[],
  windowOf: (part: number) => Period,
): WakeSchedule | undefined {
  for (const window of partsLookedAt.map(windowOf)) {
    const seen = wakesIn(looked, window);
    const recurrence = findRecurrence(seen.map(wake => wake.fromAt));
    if (recurrence === undefined) continue;
    const { periodMs } = recurrence;
    const beats = seen.filter((_, index) => recurrence.beats[index]);
    if (beats.length * periodMs < leastMs) continue;
    const earlier = follow(wakes.toReversed(), beats[0], -periodMs).toReversed();
    return { periodMs, beats: [...earlier, ...beats, ...follow(wakes, beats.at(-1), periodMs)] };
  }
  return undefined;
}

/** The beats that follow one, in the order of the wakes: backwards where the step is negative. */
function follow(wakes: readonly AwakeSpan[], from: AwakeSpan | undefined, stepMs: number): AwakeSpan[] {
  if (from === undefined) return [];
  const periodMs = Math.abs(stepMs);
  const toleranceMs = Math.min(hourMs / 6, Math.max(minuteMs, periodMs / 20));
  const found: AwakeSpan[] = [];
  let reachedAt = from.fromAt;
  for (const wake of wakes.slice(wakes.indexOf(from) + 1)) {
    const steps = Math.round((wake.fromAt - reachedAt) / stepMs);
    if (steps > missingBeats) break;
    const isBeat = steps > 0 && Math.abs(wake.fromAt - reachedAt - steps * stepMs) <= toleranceMs;
    if (!isBeat) continue;
    found.push(wake);
    reachedAt = wake.fromAt;
  }
  return found;
}
