/** Use of compute by hours of UTC in compute seconds (CU-seconds); all series begin at `firstHourAt` and are equally long. */
export interface HourlyUsage {
  /** Epoch milliseconds, a whole hour. */
  readonly firstHourAt: number;
  /** One value an hour up to the last whole hour: of the projects that were there all the time, added up. */
  readonly steady: Float64Array;
  /** Those that came later and are still there, each on its own. */
  readonly young: readonly YoungUsage[];
  /** Those that were there and are gone, so that the past can be seen as it was seen then. */
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
