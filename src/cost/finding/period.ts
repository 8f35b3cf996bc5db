import { findNeighbourPeriod } from './neighbour-period.ts';
import { findPhasePeriod } from './phase-period.ts';
import { leastBeats } from './usual-period.ts';

/** What repeats in a row of instants. */
export interface Period {
  readonly periodMs: number;
  /** Of each instant whether it is one of those that repeat. */
  readonly beats: readonly boolean[];
  /** The part of the instants that are beats. */
  readonly share: number;
}

/**
 * Finds the period on which instants repeat, 1 minute to 24 hours, with some jitter, with beats that are missing and with
 * others between them; undefined if there is none.
 *
 * @param instants in order of time
 */
export function findPeriod(instants: readonly number[]): Period | undefined {
  if (instants.length < leastBeats) return undefined;
  const byNeighbours = findNeighbourPeriod(instants);
  const byPhase = findPhasePeriod(instants, byNeighbours?.periodMs);
  // What comes back every hour comes back every day too.
  return byPhase ?? byNeighbours;
}
