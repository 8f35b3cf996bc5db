/**
 * Compute seconds (CU-seconds) by hour of UTC, oldest first; all series begin at `firstHourAt` and are equally long.
 */
export interface HourlyUsage {
  /** Epoch milliseconds, a whole hour. */
  readonly firstHourAt: number;
  /** The sum over the projects that existed all the time, one value an hour up to the last whole hour. */
  readonly steady: Float64Array;
  /** Projects that came later and still exist, each on its own. */
  readonly young: readonly YoungUsage[];
  /** Projects that are gone, so that forecasts of the past can be made as they would have been made then. */
  readonly gone: readonly GoneUsage[];
}

export interface YoungUsage {
  /** Epoch milliseconds. */
  readonly bornAt: number;
  readonly hours: Float64Array;
}

export interface GoneUsage extends YoungUsage {
  readonly goneAt: number;
}
