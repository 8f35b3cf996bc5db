/** From one instant until another, the second not included. Epoch milliseconds by the service's clock. */
export interface Span {
  readonly fromAt: number;
  readonly untilAt: number;
}

/** A time in which an endpoint was in state active. */
export interface AwakeSpan extends Span {
  /** When a client last used it within the span, as far as `last_active` was read by then; absent if that is not known. */
  readonly lastActiveAt?: number;
  /**
   * Stretches between two uses within the span, as far as readings of `last_active` were close enough to tell. Absent if
   * they were not; empty if it was in use all the time.
   */
  readonly pauses?: readonly Span[];
}

/** What is remembered of an endpoint for a window of time. Amounts of use are CU-milliseconds. */
export interface EndpointHistory extends Span {
  readonly account: string;
  readonly project_id: string;
  readonly endpoint_id: string;
  readonly project_name?: string;
  readonly branch_id?: string;
  /** Sizes as last reported: equal for a fixed one. */
  readonly minCu?: number;
  readonly maxCu?: number;
  /** In order of time, within the window, none touching another. One that reaches the window's end may go on. */
  readonly awake: readonly AwakeSpan[];
  /** As last reported; absent if no client ever used it. */
  readonly lastActiveAt?: number;
  /** When check_availability operations on it were created, in order of time. */
  readonly checks: readonly number[];
  /** What it used within the window by its project's counter; absent where that cannot be told from other endpoints. */
  readonly usedCuMs?: number;
}
