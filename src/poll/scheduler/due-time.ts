import { minuteMs } from '../../resources/duration.ts';
/** Attempts that failed one after the other; instants in epoch milliseconds by this host's clock. */
export interface RepeatedFailure {
  readonly sinceAt: number;
  readonly lastTriedAt: number;
}

const longestRetryMs = 5 * minuteMs;

/**
 * Whether a duration has passed since an instant of this host's clock. An instant of the future was noted before the
 * clock was set back: what waits for it has waited long enough.
 */
export function hasPassed(sinceAt: number, durationMs: number, now: number): boolean {
  return sinceAt > now || now - sinceAt >= durationMs;
}

/** One more attempt that failed after those before it, if any. */
export function failAgain(before: RepeatedFailure | undefined, now: number): RepeatedFailure {
  return { sinceAt: before?.sinceAt ?? now, lastTriedAt: now };
}

/** Whether to try again: at once where nothing failed, else once it has waited long enough. */
export function mayRetry(failure: RepeatedFailure | undefined, now: number): boolean {
  return failure === undefined || hasPassed(failure.lastTriedAt, retryWaitMs(failure), now);
}

/** Milliseconds from the last attempt to the next: as long as it has been failing, so that it is tried ever less often. */
export function retryWaitMs({ sinceAt, lastTriedAt }: RepeatedFailure): number {
  return Math.min(Math.max(0, lastTriedAt - sinceAt), longestRetryMs);
}
