import type { InstantRow } from './backfill.ts';
import type { Span } from './duration.ts';

/** A stretch between two uses, until the last reading within it. */
export interface Pause extends Span {
  /** It may have gone on until then: the end of the next use that was read. Absent where it did not. */
  readonly latestUntilAt?: number;
}

/** A time in which an endpoint was in state active. */
export interface AwakeSpan extends Span {
  /**
   * The last use by a client within the span, as far as `last_active` was read by then; absent if that is not known.
   */
  readonly lastActiveAt?: number;
  /**
   * Stretches between two uses within the span, where readings of `last_active` were close enough to show them. Absent
   * if they were not; empty if it was in use all the time.
   */
  readonly pauses?: readonly Pause[];
  /**
   * Milliseconds of the span that `pauses` cannot speak of, as the endpoint was not read then: before its first reading,
   * or in a gap between readings. Absent where there are none.
   */
  readonly unseenMs?: number;
}

/** An auto-suspend delay from an instant on. */
export interface DatedDelay {
  /** Epoch milliseconds: the reading that first showed it. */
  readonly fromAt: number;
  /** Infinite where it is never suspended; absent where the service does not report it, or only that it is the default. */
  readonly delayMs?: number;
}

/** The history of an endpoint within a window of time. Usage is in CU-milliseconds. */
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
  /** Its usage within the window by its project's counter; absent where other endpoints share the counter. */
  readonly usedCuMs?: number;
  /** An estimate of it where they do: between its bounds as the whole counter is between those of all. */
  readonly sharedCuMs?: number;
  /** As the service reports them, in order of time, with the one before the window; absent where it never did. */
  readonly delays?: readonly DatedDelay[];
}

/** An endpoint whose history can be looked at as it was at any instant, also after it is gone. */
export interface RememberedEndpoint {
  /** From when until when its use is known. */
  readonly known: Span;
  /** Absent while it is there. */
  readonly goneAt?: number;
  /** CU-milliseconds a day that it used at most over any whole weeks of that; absent where that is not sure. */
  mostADay?(): number;
  /** CU-milliseconds it used before each of some instants. */
  usedAtSteps(instants: InstantRow): readonly number[];
  past(span: Span): EndpointHistory;
}

/** The limits of an endpoint's size from an instant on. */
export interface DatedSize {
  /** Epoch milliseconds. */
  readonly fromAt: number;
  readonly minCu: number;
  readonly maxCu: number;
}

/** What an endpoint did in a stretch of time, whether or not it is there still. */
export interface EndpointPast {
  readonly past: EndpointHistory;
  /** In order of time, each where it differs from the one before; empty where no size is known. */
  readonly sizes: readonly DatedSize[];
  /** Epoch milliseconds; absent while it is there. */
  readonly goneAt?: number;
}
