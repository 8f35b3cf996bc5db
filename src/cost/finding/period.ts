import { medianOf } from './proposal.ts';

/** What repeats in a row of instants. */
export interface Period {
  readonly periodMs: number;
  /** Of each instant whether it has a neighbour one period before or after it. */
  readonly beats: readonly boolean[];
  /** The part of the instants that are beats. */
  readonly share: number;
}

const minute = 60_000;
const hour = 60 * minute;

/** What schedules are usually made of, for those whose beats have other instants between them. */
const usualPeriodsMs = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map(minutes => minutes * minute),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map(hours => hours * hour),
];

/** How far a beat may be from its place: a part of the period, at most so long. */
const tolerances = [
  { part: 0.02, mostMs: 60_000 },
  { part: 0.08, mostMs: 600_000 },
] as const;

/** A week of nights. */
const leastBeats = 7;
const leastShare = 0.5;
/** By how much beats must be more frequent than instants that far from each other are anyway. */
const leastExcess = 0.4;

/**
 * Finds the period on which most of the instants repeat, 1 minute to 24 hours; undefined if there is none. Looks at the
 * distances of neighbours and not at the time of day, so that a schedule that counts from the end of its last run is
 * found too. What is frequent by chance is as frequent a little beside the period, and does not count.
 *
 * @param instants in order of time
 */
export function findPeriod(instants: readonly number[]): Period | undefined {
  if (instants.length < leastBeats) return undefined;
  const judged = tolerances.flatMap(({ part, mostMs }) =>
    candidatePeriods(instants, part).map(periodMs => {
      const toleranceMs = Math.min(mostMs, part * periodMs);
      return { periodMs, toleranceMs, ...judge(instants, periodMs, toleranceMs) };
    }),
  );
  const accepted = judged.filter(
    ({ beats, share, excess }) =>
      share >= leastShare && excess >= leastExcess && beats.filter(Boolean).length >= leastBeats,
  );
  const best = Math.max(...accepted.map(({ excess }) => excess));
  // Every second beat is a period too, of twice the length: the shortest of the good ones is meant.
  const [chosen] = accepted
    .filter(({ excess }) => excess >= 0.9 * best)
    .sort((left, right) => left.periodMs - right.periodMs || right.excess - left.excess);
  if (chosen === undefined) return undefined;
  const { beats, share, toleranceMs } = chosen;
  return { periodMs: refine(instants, chosen.periodMs, toleranceMs), beats, share };
}

function judge(instants: readonly number[], periodMs: number, toleranceMs: number) {
  const shareAt = (lagMs: number): number =>
    findBeats(instants, lagMs, toleranceMs).filter(Boolean).length / instants.length;
  const beats = findBeats(instants, periodMs, toleranceMs);
  const share = beats.filter(Boolean).length / instants.length;
  const beside = [-5, -3, 3, 5].map(steps => shareAt(periodMs + steps * toleranceMs));
  return { beats, share, excess: share - Math.max(...beside) };
}

/** Of each instant whether another one lies `lagMs` before or after it. */
function findBeats(instants: readonly number[], lagMs: number, toleranceMs: number): boolean[] {
  const beats = instants.map(() => false);
  for (const [earlier, later] of pairsAt(instants, lagMs, toleranceMs)) {
    beats[earlier] = true;
    beats[later] = true;
  }
  return beats;
}

/** Positions of instants `lagMs` apart: of each the one that comes nearest to it. */
function pairsAt(instants: readonly number[], lagMs: number, toleranceMs: number): [number, number][] {
  const pairs: [number, number][] = [];
  let later = 0;
  for (const [earlier, instant] of instants.entries()) {
    const missBy = (position: number) =>
      Math.abs((instants[position] ?? Number.POSITIVE_INFINITY) - instant - lagMs);
    while (later < instants.length - 1 && missBy(later + 1) <= missBy(later)) later += 1;
    if (later > earlier && missBy(later) <= toleranceMs) pairs.push([earlier, later]);
  }
  return pairs;
}

/** The usual ones, and the two distances that most neighbours and next but one have. */
function candidatePeriods(instants: readonly number[], part: number): number[] {
  const found = [1, 2].flatMap(step => densestDistance(instants, step, part) ?? []);
  return [...usualPeriodsMs, ...found].filter(
    periodMs => periodMs >= 0.95 * minute && periodMs <= 24.5 * hour,
  );
}

function densestDistance(instants: readonly number[], step: number, part: number): number | undefined {
  const distances = instants
    .slice(step)
    .map((instant, position) => instant - (instants[position] ?? instant))
    .sort((left, right) => left - right);
  let densest: readonly [first: number, count: number] = [0, 0];
  let end = 0;
  for (const [first, distance] of distances.entries()) {
    while ((distances[end] ?? Number.POSITIVE_INFINITY) <= distance * (1 + 2 * part)) end += 1;
    if (end - first > densest[1]) densest = [first, end - first];
  }
  const [first, count] = densest;
  return distances[first + (count >> 1)];
}

/** The middle one of the distances that were taken for the period, in whole seconds. */
function refine(instants: readonly number[], periodMs: number, toleranceMs: number): number {
  const distances = pairsAt(instants, periodMs, toleranceMs).map(
    ([earlier, later]) => (instants[later] ?? 0) - (instants[earlier] ?? 0),
  );
  const middleMs = Math.round(medianOf(distances) / 1000) * 1000;
  // A schedule of usual length is named by it, not by what starts and their delays made of it.
  const usualMs = usualPeriodsMs.find(usual => Math.abs(middleMs - usual) <= 0.005 * usual);
  return usualMs ?? middleMs;
}
