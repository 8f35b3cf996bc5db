import { hourMs, minuteMs } from '../../resources/duration.ts';

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

/** How often the list that a project has of a resource is read: what is in it comes and goes by hand. */
export const partRefreshMs = 6 * hourMs;

/** A hundredth of what services allow an account; these requests are outside its budget. */
export const partRequestsPerMinute = 10;

/** Pace at which the lists of all projects are read, a request a project. */
export function planPart(projects: number): { readonly perMinute: number; readonly everyMs: number } {
  const everyMs = Math.max(partRefreshMs, (projects / partRequestsPerMinute) * minuteMs);
  return { perMinute: (projects * minuteMs) / everyMs, everyMs };
}

/** A fifth of what services allow for the meter: they count these requests apart, and so does the daemon. */
export const meterRequestsPerMinute = 10;
/** As many projects as an answer may hold, or a request name. */
export const meterPageSize = 100;

/** Requests that reading the meter of an account takes. */
export interface MeterRequests {
  readonly perMinute: number;
  /** By the hour. */
  readonly eachHour: number;
  /** By the day and by the month. */
  readonly eachDay: number;
}

/** The requests for the meter of all projects, as long as it is read without a fault. */
export function planMeter(projects: number): MeterRequests {
  const pages = Math.max(1, Math.ceil(projects / meterPageSize));
  return { perMinute: meterRequestsPerMinute, eachHour: pages, eachDay: 2 * pages };
}
