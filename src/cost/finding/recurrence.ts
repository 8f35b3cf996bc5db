import { findNeighbourRecurrence } from './neighbour-recurrence.ts';
import { findPhaseRecurrence } from './phase-recurrence.ts';
import type { Recurrence } from './usual-recurrence.ts';
import { leastBeats } from './usual-recurrence.ts';

/**
 * Finds the period on which instants repeat, 1 minute to 24 hours, with some jitter, with beats that are missing and
 * with others between them; undefined if there is none.
 *
 * @param instants in order of time
 */
export function findRecurrence(instants: readonly number[]): Recurrence | undefined {
  if (instants.length < leastBeats) return undefined;
  const byNeighbours = findNeighbourRecurrence(instants);
  const byPhase = findPhaseRecurrence(instants, byNeighbours?.periodMs);
  // An hourly schedule repeats every day too.
  return byPhase ?? byNeighbours;
}
