import { type ComputeTotals, growth } from './compute-query.ts';

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
