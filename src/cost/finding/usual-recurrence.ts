import { hourMs, minuteMs } from '../../resources/duration.ts';

/** What came back fewer times is no schedule: a week of nights. */
export const leastBeats = 7;

/** What schedules are usually made of. */
export const usualPeriodsMs: readonly number[] = [
  ...[1, 2, 3, 4, 5, 6, 10, 12, 15, 20, 30].map(minutes => minutes * minuteMs),
  ...[1, 2, 3, 4, 6, 8, 12, 24].map(hours => hours * hourMs),
];

/** A period on which instants repeat. */
export interface Recurrence {
  readonly periodMs: number;
  /** Of each instant whether it is one of those that repeat. */
  readonly beats: readonly boolean[];
  /** The part of the instants that are beats. */
  readonly share: number;
}
