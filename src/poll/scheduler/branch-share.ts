import { hourMs, minuteMs } from '../../resources/duration.ts';

/** Branches come and go by hand: nobody needs them sooner. */
export const branchRefreshMs = 6 * hourMs;

/** A hundredth of what services allow an account; these requests come besides those of its budget. */
export const branchRequestsPerMinute = 10;

/** Pace at which the branches of so many projects are read, a request a project. */
export function planBranches(projects: number): { readonly perMinute: number; readonly everyMs: number } {
  const everyMs = Math.max(branchRefreshMs, (projects / branchRequestsPerMinute) * minuteMs);
  return { perMinute: (projects * minuteMs) / everyMs, everyMs };
}
