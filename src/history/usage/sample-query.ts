import type { Database } from 'better-sqlite3';
import { statementsOf } from '../file/statement.ts';
import { type ComputeTotals, growth } from './compute-query.ts';

export interface SampleRow {
  readonly at: number;
  readonly totalSec: number;
  /** Null: when the sample before it was. */
  readonly afterAt: number | null;
  /** 1: it counts from zero, from some time after `afterAt` on. */
  readonly fromZero: number;
}

export type LastSample = Pick<SampleRow, 'at' | 'totalSec'>;

const columns = 'cpu_used_sec + base_sec AS totalSec, after_at AS afterAt';
/** Samples of a project; a condition on their instants is to follow. */
const select = `SELECT s.at, ${columns}, c.at IS NOT NULL AS fromZero
  FROM cpu_sample s LEFT JOIN cpu_count_start c USING (project_ref, at) WHERE project_ref = ? AND`;

/** Looks for the samples of projects around instants. */
export function samplesOf(database: Database) {
  const sql = statementsOf(database);
  return {
    /** The last one until an instant. */
    last: sql.one<[project_ref: number, at: number], LastSample>`
      SELECT at, cpu_used_sec + base_sec AS totalSec FROM cpu_sample
      WHERE project_ref = ? AND at <= ? ORDER BY at DESC LIMIT 1`,
    next: sql.one<[project_ref: number, at: number], SampleRow>`${select} s.at > ? ORDER BY s.at LIMIT 1`,
    since: sql.each<[project_ref: number, at: number], SampleRow>`${select} s.at > ? ORDER BY s.at`,
    /** When each project last began to count from zero. */
    lastStarts: sql.tuples<[], [project_ref: number, at: number]>`
      SELECT project_ref, max(at) FROM cpu_count_start GROUP BY project_ref`,
    // In this order, as the planner would rather walk over all samples of the project.
    fromZero: sql.all<[project_ref: number, at: number], SampleRow>`
      SELECT c.at, ${columns}, 1 AS fromZero
      FROM cpu_count_start c CROSS JOIN cpu_sample s USING (project_ref, at)
      WHERE c.project_ref = ? AND c.at > ? ORDER BY c.at`,
  };
}

/** The time in which what a sample adds was used, and the compute the endpoints can have used by its ends. */
export interface SampleStretch {
  /** Used before it, in CU-milliseconds, like `grown`. */
  readonly before: number;
  readonly grown: number;
  readonly beganAt: number;
  readonly endedAt: number;
  readonly computeBefore: ComputeTotals;
  readonly computeAfter: ComputeTotals;
}

/** The compute that the endpoints of a project can have used before an instant. */
export type ComputeAt = (at: number) => ComputeTotals;

/** Use before an instant, in CU-milliseconds: between the total before a stretch and that after it. */
export function usedWithin(stretch: SampleStretch, at: number, computeAt: ComputeAt): number {
  const { before, grown, beganAt, endedAt, computeBefore, computeAfter } = stretch;
  if (at <= beganAt) return before;
  const whole = growth(computeBefore, computeAfter);
  if (whole.upper <= 0) return before + Math.round((grown * (at - beganAt)) / (endedAt - beganAt));
  const { lower, upper } = growth(computeBefore, computeAt(at));
  if (grown >= whole.upper) return before + Math.round((grown * upper) / whole.upper);
  if (grown <= whole.lower) return before + Math.round(whole.lower > 0 ? (grown * lower) / whole.lower : 0);
  const share = (grown - whole.lower) / (whole.upper - whole.lower);
  return before + Math.round(lower + (upper - lower) * share);
}
