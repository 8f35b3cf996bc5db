import { dayMs } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';

/** A value that is not counted yet. */
export interface HeldValue {
  readonly sec: number;
  readonly at: number;
  /** When a value was last read before that was believed. */
  readonly believedAt: number;
}

/** The doubts of a counter over `cpu_used_sec`: values that are not, or may not be, what was used. */
export interface CpuDoubt {
  /** The first of the values that fell, or the last of those that nobody can have used. */
  readonly held?: HeldValue;
  /** When a value last turned out to be that of a replica that lags. */
  readonly laggedAt?: number;
  /** The counter before its last reset, which may turn out to have been none, and when it was last read so. */
  readonly before?: { readonly lastSec: number; readonly totalSec: number; readonly at: number };
  /** Whether a reset was counted that was none: the next one counts nothing. */
  readonly isResetAhead?: boolean;
  /** Compute seconds that were counted for it: so much growth counts nothing. */
  readonly aheadSec?: number;
}

type Renewed = { readonly [Key in keyof CpuDoubt]: CpuDoubt[Key] | undefined };

/** The doubt that remains at an instant, as the part of a counter: nothing once it is over. */
export function renewDoubt(at: number, renewed: Renewed): { doubt?: CpuDoubt } {
  const { held, laggedAt, before, isResetAhead, aheadSec } = renewed;
  const isRecent = (doubtedAt: number) => at - doubtedAt < dayMs;
  const doubt: CpuDoubt = compact({
    held,
    laggedAt: laggedAt !== undefined && isRecent(laggedAt) ? laggedAt : undefined,
    before: before !== undefined && isRecent(before.at) ? before : undefined,
    isResetAhead: isResetAhead || undefined,
    aheadSec: aheadSec || undefined,
  });
  return Object.keys(doubt).length === 0 ? {} : { doubt };
}
