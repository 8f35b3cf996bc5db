import type { MatchedProject } from '../project-match.ts';

/** A project that used compute, still there or not. */
export interface UsageProject extends MatchedProject {
  /** Its number in the history. */
  readonly project_ref: number;
  /** Epoch milliseconds by the service's clock, as all instants here. */
  readonly created_at?: number;
  readonly gone_at?: number;
}

/**
 * What `cpu_used_sec` of each project grew by, spread over the time it was used in. Amounts are whole CU-milliseconds:
 * 3,600,000 of them are one compute hour. What was used between two instants is the difference of two readings, so that
 * periods add up whatever they are cut into.
 */
export interface UsageLedger {
  /** All that were ever seen. */
  readonly projects: readonly UsageProject[];
  /** Until when readings tell the whole story of every project of an account that is still there. */
  knownUntil(account: string): number | undefined;
  /** From when on what the projects of an account used is known; undefined while nothing is. */
  knownFrom(account: string): number | undefined;
  /** What a project used before an instant: never less for a later one. */
  usedUntil(project_ref: number, at: number): number;
}

/** CU-milliseconds of a compute hour. */
export const computeHourMs = 3_600_000;
