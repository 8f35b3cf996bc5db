import { dayMs, minuteMs } from './duration.ts';
import type { FindingKind, ProjectFindingKind } from './finding.ts';

/** Somebody's wishes about findings. */
export interface FindingRules {
  /** Findings that save fewer compute hours in 30 days are left out. */
  readonly leastComputeHours: number;
  /** Findings that save less money in 30 days are left out, in the display currency. */
  readonly leastAmount: number;
  /** No shorter auto-suspend delay is advised, unless the plan of a project has a smallest of its own. */
  readonly smallestSuspendDelayMs: number;
  /** A branch is unused once it was not used for so long. */
  readonly unusedBranchAfterMs: number;
  /** Projects with fewer unused branches are left out. */
  readonly leastUnusedBranches: number;
  readonly ignored: readonly IgnoredFinding[];
}

/** Findings that are not to be seen. */
export interface IgnoredFinding {
  /** Globs on the name or id; absent for all projects. */
  readonly projects?: readonly string[];
  /** Absent for all kinds. */
  readonly kinds?: readonly (FindingKind | ProjectFindingKind)[];
  /** From this instant on they are seen again, epoch milliseconds; absent for never. */
  readonly untilAt?: number;
}

export const usualFindingRules: FindingRules = {
  leastComputeHours: 1,
  leastAmount: 0,
  smallestSuspendDelayMs: 5 * minuteMs,
  unusedBranchAfterMs: 14 * dayMs,
  leastUnusedBranches: 3,
  ignored: [],
};
