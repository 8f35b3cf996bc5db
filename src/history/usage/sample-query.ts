import type { Database } from 'better-sqlite3';
import { type ComputeTotals, growth, instantsOf, type Steps } from './compute-query.ts';

export interface SampleRow {
  readonly at: number;
  readonly totalSec: number;
  /** Null: when the sample before it was. */
  readonly afterAt: number | null;
  /** 1: it counts from zero, from some time after `afterAt` on. */
  readonly fromZero: number;
}

export type LastSample = Pick<SampleRow, 'at' | 'totalSec'>;

/** An instant with the last sample until it and the first one after it. */
export interface AroundInstant {
  readonly instant: number;
  readonly before: LastSample | undefined;
  readonly next: SampleRow | undefined;
}

type Nullable<Row> = { readonly [Key in keyof Row]: Row[Key] | null };
type AroundRow = Nullable<SampleRow> & {
  readonly instant: number;
  readonly beforeAt: number | null;
  readonly beforeSec: number | null;
};

/** Samples of a project; a condition on their instants is to follow. */
export const selectSample = `SELECT s.at, cpu_used_sec + base_sec AS totalSec, after_at AS afterAt, c.at IS NOT NULL AS fromZero
  FROM cpu_sample s LEFT JOIN cpu_count_start c USING (project_ref, at) WHERE project_ref = ? AND`;

/** Looks for the samples of projects around instants. */
export class SampleQuery {
  readonly #statements;

  constructor(database: Database) {
    this.#statements = prepare(database);
  }

  last(project_ref: number, at: number): LastSample | undefined {
    return this.#statements.last.get(project_ref, at);
  }

  around(project_ref: number, at: number): AroundInstant {
    return {
      instant: at,
      before: this.last(project_ref, at),
      next: this.#statements.next.get(project_ref, at),
    };
  }

  aroundSteps(project_ref: number, steps: Steps): readonly AroundInstant[] {
    return this.#statements.aroundSteps.all({ project_ref, ...steps }).map(toAround);
  }
}

function toAround({
  instant,
  beforeAt,
  beforeSec,
  at,
  totalSec,
  afterAt,
  fromZero,
}: AroundRow): AroundInstant {
  const before = beforeAt === null || beforeSec === null ? undefined : { at: beforeAt, totalSec: beforeSec };
  const hasNext = at !== null && totalSec !== null;
  return {
    instant,
    before,
    next: hasNext ? { at, totalSec, afterAt, fromZero: fromZero ?? 0 } : undefined,
  };
}

function prepare(database: Database) {
  return {
    last: database.prepare<[number, number], LastSample>(
      `SELECT at, cpu_used_sec + base_sec AS totalSec FROM cpu_sample
       WHERE project_ref = ? AND at <= ? ORDER BY at DESC LIMIT 1`,
    ),
    next: database.prepare<[number, number], SampleRow>(`${selectSample} s.at > ? ORDER BY s.at LIMIT 1`),
    aroundSteps: database.prepare<[Steps & { readonly project_ref: number }], AroundRow>(
      `SELECT instant, b.at AS beforeAt, b.cpu_used_sec + b.base_sec AS beforeSec,
         n.at, n.cpu_used_sec + n.base_sec AS totalSec, n.after_at AS afterAt, c.at IS NOT NULL AS fromZero
       FROM ${instantsOf}
       LEFT JOIN cpu_sample b ON b.project_ref = @project_ref AND b.at =
         (SELECT max(at) FROM cpu_sample WHERE project_ref = @project_ref AND at <= instant)
       LEFT JOIN cpu_sample n ON n.project_ref = @project_ref AND n.at =
         (SELECT min(at) FROM cpu_sample WHERE project_ref = @project_ref AND at > instant)
       LEFT JOIN cpu_count_start c ON c.project_ref = @project_ref AND c.at = n.at
       ORDER BY instant`,
    ),
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
