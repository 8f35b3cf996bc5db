/**
 * How hard the request budget of an account is pressed; instants and durations in milliseconds by this host's clock.
 */
export interface RequestPressure {
  /** Requests a minute that everything due at its own pace would take. */
  readonly demandPerMinute: number;
  /** When what waits longest became due; absent when nothing waits. */
  readonly oldestDueAt?: number;
  /** List polls that were left out since the start. */
  readonly skippedListPolls: number;
  /** Projects at rest that were polled later than they should have been, since the start. */
  readonly lateIdle: number;
  readonly listPollIntervalMs: number;
  /** How far the list of projects was found to be behind. */
  readonly listLagMs: number;
  /** Whether most polls of projects at rest are partial. */
  readonly partialPolls: boolean;
}
