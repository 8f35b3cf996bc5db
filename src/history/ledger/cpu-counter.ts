import { minuteMs } from '../../resources/duration.ts';
/** The monotonic counter over a project's `cpu_used_sec`. */
export interface CpuCounter {
  /** Highest value since the last reset, in compute seconds. */
  readonly lastSec: number;
  /** When that value was first read, epoch milliseconds. */
  readonly lastAt: number;
  readonly totalSec: number;
  readonly resets: number;
}

/** Seen on live services: the value can lag. A replica that is behind shows slightly less for a while. */
const longestLagMs = 15 * minuteMs;
const largestLagShare = 0.1;

/**
 * Counts one more reading. The first value counts whole: it was used since the project was created. A lower
 * value is a reset ("goes back to 0 each billing period", seen on live services) and counts whole too, unless
 * it is lower by less than a tenth within 15 minutes: that is a lagging replica, and nothing is counted until
 * the value passes the old one or the 15 minutes are over, so that neither case loses or repeats a second.
 */
export function countCpu(counter: CpuCounter | undefined, reportedSec: number, at: number): CpuCounter {
  if (counter === undefined) return { lastSec: reportedSec, lastAt: at, totalSec: reportedSec, resets: 0 };
  const { lastSec, lastAt, totalSec, resets } = counter;
  if (reportedSec === lastSec) return counter;
  if (reportedSec > lastSec) {
    // The growth in brackets: added to the sum first, fractions would round it below what it was.
    return { lastSec: reportedSec, lastAt: at, totalSec: totalSec + (reportedSec - lastSec), resets };
  }
  const lags = reportedSec > lastSec * (1 - largestLagShare) && at - lastAt < longestLagMs;
  if (lags) return counter;
  return { lastSec: reportedSec, lastAt: at, totalSec: totalSec + reportedSec, resets: resets + 1 };
}

/** The counter as the columns of a project hold it. */
export interface CounterColumns {
  readonly cpu_used_sec: number | null;
  readonly cpu_last_sec: number | null;
  readonly cpu_last_at: number | null;
  readonly cpu_used_total_sec: number | null;
  readonly cpu_used_resets: number;
}

/** @returns undefined while nothing was ever counted. */
export function asCounter(columns: CounterColumns): CpuCounter | undefined {
  const { cpu_last_sec, cpu_last_at, cpu_used_total_sec, cpu_used_resets } = columns;
  if (cpu_last_sec === null || cpu_last_at === null || cpu_used_total_sec === null) return undefined;
  return {
    lastSec: cpu_last_sec,
    lastAt: cpu_last_at,
    totalSec: cpu_used_total_sec,
    resets: cpu_used_resets,
  };
}
