import { leastBeats, type Recurrence, usualPeriodsMs } from './usual-recurrence.ts';

/** Shorter ones have so many beats that they are most of the instants. */
const shortestMs = 1_800_000;
/** How far apart beats may be within their periods. */
const widthMs = 120_000;
/** The least share of all periods that have a beat. */
const leastFill = 0.75;
/** Other phases must have fewer beats by this share of the periods. */
const leastExcess = 0.4;

/**
 * Finds a schedule among many other instants: a time within the period, of a usual length, at which there is nearly
 * always one. Undefined if no time is that much more frequent than all others.
 *
 * @param instants in order of time
 * @param belowMs looks only for shorter ones
 */
export function findPhaseRecurrence(
  instants: readonly number[],
  belowMs = Number.POSITIVE_INFINITY,
): Recurrence | undefined {
  for (const periodMs of usualPeriodsMs.filter(usualMs => usualMs >= shortestMs && usualMs < belowMs)) {
    const beats = findPhaseBeats(instants, periodMs);
    if (beats !== undefined) {
      return { periodMs, beats, share: beats.filter(Boolean).length / instants.length };
    }
  }
  return undefined;
}

function findPhaseBeats(instants: readonly number[], periodMs: number): boolean[] | undefined {
  const first = instants[0] ?? 0;
  const periods = Math.floor(((instants.at(-1) ?? 0) - first) / periodMs) + 1;
  const fewest = Math.max(leastBeats, leastFill * periods);
  if (periods < leastBeats || instants.length < fewest) return undefined;
  const windows = fillWindows(instants, periodMs);
  const best = windows.reduce((one, other) => (other.filled > one.filled ? other : one), {
    phaseMs: 0,
    filled: 0,
  });
  // A window beside the best one shares its beats.
  const elsewhere = windows
    .filter(({ phaseMs }) => distance(phaseMs, best.phaseMs, periodMs) > 2 * widthMs)
    .reduce((most, { filled }) => Math.max(most, filled), 0);
  const isClear = best.filled - elsewhere >= leastExcess * periods;
  if (best.filled < fewest || !isClear) return undefined;
  return instants.map(instant => (((instant - best.phaseMs) % periodMs) + periodMs) % periodMs <= widthMs);
}

/** For a window that begins at the phase of each instant: how many periods have an instant in it. */
function fillWindows(
  instants: readonly number[],
  periodMs: number,
): { readonly phaseMs: number; readonly filled: number }[] {
  const folded = instants
    .map(instant => ({ phaseMs: instant % periodMs, turn: Math.floor(instant / periodMs) }))
    .sort((left, right) => left.phaseMs - right.phaseMs);
  const inWindow = new Map<number, number>();
  let end = 0;
  const phaseAt = (position: number): number =>
    (folded[position % folded.length]?.phaseMs ?? 0) + (position >= folded.length ? periodMs : 0);
  // An instant of the next period's beginning belongs to the turn before it: the window reaches over the fold.
  const turnAt = (position: number): number =>
    (folded[position % folded.length]?.turn ?? 0) - (position >= folded.length ? 1 : 0);
  return folded.map(({ phaseMs }, position) => {
    while (end < position + folded.length && phaseAt(end) - phaseMs <= widthMs) {
      inWindow.set(turnAt(end), (inWindow.get(turnAt(end)) ?? 0) + 1);
      end += 1;
    }
    const filled = inWindow.size;
    const left = (inWindow.get(turnAt(position)) ?? 0) - 1;
    if (left > 0) inWindow.set(turnAt(position), left);
    else inWindow.delete(turnAt(position));
    return { phaseMs, filled };
  });
}

function distance(one: number, other: number, periodMs: number): number {
  const apart = Math.abs(one - other);
  return Math.min(apart, periodMs - apart);
}
