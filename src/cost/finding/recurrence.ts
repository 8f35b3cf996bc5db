import { hourMs, minuteMs } from '../../resources/duration.ts';
import { maxOf } from '../../resources/min-max.ts';
import { lowerMedianOf } from './statistic.ts';

/** A period on which instants repeat. */
export interface Recurrence {
  readonly periodMs: number;
  /** For each instant whether it repeats. */
  readonly beats: readonly boolean[];
  /** The part of the instants that are beats. */
  readonly share: number;
}

/** Fewer beats are no schedule: a nightly job has seven in a week. */
const leastBeats = 7;

/** The periods that schedules usually have. */
const usualPeriodsMs: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map(minutes => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map(hours => hours * hourMs),
];

/** How far a beat may be from its place: a part of the period, at most this long. */
const tolerancePart = 0.08;
const mostToleranceMs = 10 * minuteMs;
const leastShare = 0.5;
/** Beats must be more frequent by this share than instants at a similar distance. */
const leastExcess = 0.4;

/**
 * Finds the period on which most of the instants repeat, 1 minute to 24 hours, with some jitter, with beats that are
 * missing and with others between them; undefined if there is none. Looks at the distances of neighbours and not at the
 * time of day, so that a schedule that counts from the end of its last run is found too. A distance that is frequent by
 * chance is as frequent a little beside the period, and does not count.
 *
 * @param instants in order of time
 */
export function findRecurrence(instants: readonly number[]): Recurrence | undefined {
  if (instants.length < leastBeats) return undefined;
  const leastMs = halfApart(instants);
  const accepted = candidatePeriods(instants).flatMap(periodMs => {
    const toleranceMs = Math.min(mostToleranceMs, tolerancePart * periodMs);
    if (periodMs + toleranceMs + 1 < leastMs) return [];
    const share = shareAt(instants, periodMs, toleranceMs);
    if (share < leastShare || share * instants.length < leastBeats) return [];
    const beside = [-5, -3, 3, 5].map(steps =>
      shareAt(instants, periodMs + steps * toleranceMs, toleranceMs),
    );
    const excess = share - maxOf(beside);
    return excess < leastExcess ? [] : [{ periodMs, toleranceMs, share, excess }];
  });
  const best = maxOf(accepted.map(({ excess }) => excess));
  // Every second beat is a period too, of twice the length: the shortest of the good ones is meant.
  const [chosen] = accepted
    .filter(({ excess }) => excess >= 0.9 * best)
    .sort((left, right) => left.periodMs - right.periodMs || right.excess - left.excess);
  if (chosen === undefined) return undefined;
  const { periodMs, toleranceMs, share } = chosen;
  return {
    periodMs: refine(instants, periodMs, toleranceMs),
    beats: Array.from(findBeats(instants, periodMs, toleranceMs), beat => beat === 1),
    share,
  };
}

/** The distance within which no more than half of the instants have another one: no shorter period is that of most. */
function halfApart(instants: readonly number[]): number {
  const apart = instants.map((at, place) =>
    Math.min(
      at - (instants[place - 1] ?? Number.NEGATIVE_INFINITY),
      (instants[place + 1] ?? Number.POSITIVE_INFINITY) - at,
    ),
  );
  return apart.sort((left, right) => left - right)[Math.ceil(leastShare * apart.length) - 1] ?? 0;
}

/** The part of the instants that have another one `lagMs` before or after them. */
function shareAt(instants: readonly number[], lagMs: number, toleranceMs: number): number {
  return findBeats(instants, lagMs, toleranceMs).reduce((count, beat) => count + beat, 0) / instants.length;
}

/** For each instant 1 if another one lies `lagMs` before or after it, otherwise 0. */
function findBeats(instants: readonly number[], lagMs: number, toleranceMs: number): Uint8Array {
  const beats = new Uint8Array(instants.length);
  visitPairs(instants, lagMs, toleranceMs, (earlier, later) => {
    beats[earlier] = 1;
    beats[later] = 1;
  });
  return beats;
}

/** Visits the positions of instants `lagMs` apart: with each instant the one that comes nearest. */
function visitPairs(
  instants: readonly number[],
  lagMs: number,
  toleranceMs: number,
  visit: (earlier: number, later: number) => void,
): void {
  const at = (position: number): number => instants[position] ?? Number.POSITIVE_INFINITY;
  let later = 0;
  for (let earlier = 0; earlier < instants.length; earlier += 1) {
    const wantedAt = at(earlier) + lagMs;
    while (Math.abs(at(later + 1) - wantedAt) <= Math.abs(at(later) - wantedAt)) later += 1;
    if (later > earlier && Math.abs(at(later) - wantedAt) <= toleranceMs) visit(earlier, later);
  }
}

/** The usual periods, and the most frequent distances of neighbours and of next but one. */
function candidatePeriods(instants: readonly number[]): number[] {
  const found = [1, 2].flatMap(step => densestDistance(instants, step) ?? []);
  const longestMs = Math.min(
    24.5 * hourMs,
    ((instants.at(-1) ?? 0) - (instants[0] ?? 0)) / (leastBeats - 1.5),
  );
  return [...usualPeriodsMs, ...found].filter(
    periodMs => periodMs >= 0.95 * minuteMs && periodMs <= longestMs,
  );
}

function densestDistance(instants: readonly number[], step: number): number | undefined {
  const distances = instants
    .slice(step)
    .map((instant, position) => instant - (instants[position] ?? instant))
    .sort((left, right) => left - right);
  let densest: readonly [first: number, count: number] = [0, 0];
  let end = 0;
  for (const [first, distance] of distances.entries()) {
    while ((distances[end] ?? Number.POSITIVE_INFINITY) <= distance * (1 + 2 * tolerancePart)) end += 1;
    if (end - first > densest[1]) densest = [first, end - first];
  }
  const [first, count] = densest;
  return distances[first + (count >> 1)];
}

/** The middle one of the distances that were taken for the period, in whole seconds. */
function refine(instants: readonly number[], periodMs: number, toleranceMs: number): number {
  const distances: number[] = [];
  visitPairs(instants, periodMs, toleranceMs, (earlier, later) => {
    distances.push((instants[later] ?? 0) - (instants[earlier] ?? 0));
  });
  const middleMs = Math.round(lowerMedianOf(distances) / 1000) * 1000;
  // A schedule close to a usual length has that length: starts and their delays blur it.
  const usualMs = usualPeriodsMs.find(usual => Math.abs(middleMs - usual) <= 0.005 * usual);
  return usualMs ?? middleMs;
}
