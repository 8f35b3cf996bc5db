import { dayMs, minuteMs } from '../../resources/duration.ts';
import { isLikely } from './cpu-bound.ts';
import { type CpuCount, type CpuCounter, type CpuLimits, type CpuValue, countCpu } from './cpu-counter.ts';

/** A reading of `compute_time_seconds`, which counts from the beginning of a billing period. */
interface UsageValue extends CpuValue {
  /** When that period began; absent where the service does not tell. */
  readonly periodStartAt?: number | undefined;
}

/** A project as it was counted before. */
interface UsageCounter {
  /** Undefined while nothing was ever counted. */
  readonly counter: CpuCounter | undefined;
  /** Whether that is a count of `compute_time_seconds`, and not of `cpu_used_sec` in the list. */
  readonly isOwn: boolean;
  /** The period its last value was of, where that is known. */
  readonly periodStartAt?: number | undefined;
}

/** Instants of one period may be rounded by several hosts. */
const slackMs = minuteMs;
/** Replicas that are behind may still tell of the period before. */
const turnMs = dayMs;

/**
 * Counts one more reading of `compute_time_seconds`, as `countCpu` does; but that it is told when a period began, so that a
 * reset need not be confirmed, and an answer about an earlier period counts nothing.
 */
export function countUsage(before: UsageCounter, value: UsageValue, limits: CpuLimits): CpuCount {
  const { counter, isOwn } = before;
  const { sec, at, periodStartAt } = value;
  if (counter === undefined) {
    const bornAt = Math.max(limits.bornAt, Math.min(periodStartAt ?? limits.bornAt, at));
    const believedAt = Math.max(value.believedAt, bornAt);
    return countCpu(undefined, { sec, at, believedAt }, { ...limits, bornAt });
  }
  if (!isOwn) return rebase(counter, value);
  if (isOfPeriodBefore(before, value)) return { counter, counted: [], isImplausible: false };
  const startedLaterMs = (periodStartAt ?? Number.NaN) - (before.periodStartAt ?? Number.NaN);
  const isReset = startedLaterMs > slackMs && isSetBack(counter, value, limits);
  return isReset ? countNewPeriod(counter, value) : countCpu(counter, value, limits);
}

/** Whether an answer is about the period before the one that began within the last day. */
export function isOfPeriodBefore(before: Pick<UsageCounter, 'periodStartAt'>, value: UsageValue): boolean {
  const knownAt = before.periodStartAt;
  if (knownAt === undefined || value.periodStartAt === undefined) return false;
  return value.periodStartAt < knownAt - slackMs && value.at - knownAt < turnMs;
}

/** Whether all of the value can have been used since its period began: a period may be moved with nothing set back. */
function isSetBack({ lastSec }: CpuCounter, value: UsageValue, { mostCu }: CpuLimits): boolean {
  const { sec, at, periodStartAt = at } = value;
  return sec !== lastSec && isLikely(sec, at - periodStartAt, mostCu);
}

/** Goes on from a value of another source: what it comes to is not compared with what was counted, and adds nothing. */
export function rebase(
  { totalSec, resets }: Pick<CpuCounter, 'totalSec' | 'resets'>,
  value: CpuValue,
): Required<CpuCount> {
  const counter = { lastSec: value.sec, lastAt: value.at, totalSec, resets };
  return { counter, counted: [{ ...value, counter }], isImplausible: false };
}

/** Goes on from nothing, where a project was created in place of a deleted one with the same id. */
export function restart({ lastAt, totalSec, resets }: CpuCounter, createdAt = lastAt): CpuCounter {
  return { lastSec: 0, lastAt: createdAt, totalSec, resets: resets + 1 };
}

/** All of the value was used since the period began. */
function countNewPeriod({ totalSec, resets }: CpuCounter, value: UsageValue): CpuCount {
  const { sec, at, periodStartAt = at } = value;
  const counter = { lastSec: sec, lastAt: at, totalSec: totalSec + sec, resets: resets + 1 };
  const believedAt = Math.min(Math.max(value.believedAt, periodStartAt), at);
  return { counter, counted: [{ sec, at, believedAt, counter }], isImplausible: false };
}
