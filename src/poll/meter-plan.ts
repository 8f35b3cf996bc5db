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

/** The requests for the meter of so many projects, as long as it is read without a fault. */
export function planMeter(projects: number): MeterRequests {
  const pages = Math.max(1, Math.ceil(projects / meterPageSize));
  return { perMinute: meterRequestsPerMinute, eachHour: pages, eachDay: 2 * pages };
}
