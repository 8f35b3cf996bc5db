import { hourMs, minuteMs } from '../../resources/duration.ts';

/** How often the list that a project has of a resource is read; what is in such lists comes and goes by hand. */
export const partRefreshMs = 6 * hourMs;

/** A hundredth of what services allow an account; these requests come besides those of its budget. */
export const partRequestsPerMinute = 10;

/** The pace at which the lists of a number of projects are read, a request a project. */
export function planPart(projects: number): { readonly perMinute: number; readonly everyMs: number } {
  const everyMs = Math.max(partRefreshMs, (projects / partRequestsPerMinute) * minuteMs);
  return { perMinute: (projects * minuteMs) / everyMs, everyMs };
}
