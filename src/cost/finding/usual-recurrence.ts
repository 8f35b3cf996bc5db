import { hourMs, minuteMs } from '../../resources/duration.ts';

/** Fewer beats are no schedule: a nightly job has seven in a week. */
export const leastBeats = 7;

/** The periods that schedules usually have. */
export const usualPeriodsMs: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map(minutes => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map(hours => hours * hourMs),
];

/** A period on which instants repeat. */
export interface Recurrence {
  readonly periodMs: number;
  /** For each instant whether it is one of those that repeat. */
  readonly beats: readonly boolean[];
  /** The part of the instants that are beats. */
  readonly share: number;
}
