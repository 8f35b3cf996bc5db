import { cutInstants, type InstantRow, lastInstant, layInstants } from '../resources/backfill.ts';
import { dayMs, hourMs, minuteMs } from '../resources/duration.ts';

/** For so long before the end samples are as close as Prometheus would scrape them. */
const fineMs = 2 * dayMs;
const fineStepMs = minuteMs;
/** As few samples as Prometheus needs: it takes one for the value of the next five minutes. */
const coarseStepMs = 4 * minuteMs;

/** Rows of instants from one until another: with the usual steps, or the one that is given. */
export function layRows(fromAt: number, untilAt: number, stepMs?: number): readonly InstantRow[] {
  if (stepMs !== undefined) return [layInstants(fromAt, untilAt, stepMs)];
  const fine = layInstants(Math.max(fromAt, untilAt - fineMs), untilAt, fineStepMs);
  const coarseUntilAt = fine.fromAt - coarseStepMs;
  return coarseUntilAt < fromAt ? [fine] : [layInstants(fromAt, coarseUntilAt, coarseStepMs), fine];
}

/** The instants of one block. */
export interface BlockStretch {
  readonly rows: readonly InstantRow[];
  /** Length of the block in milliseconds, of which its beginning is a multiple. */
  readonly blockMs: number;
}

/** Lengths that Prometheus has for its own blocks, the longest first. */
const blockLengths = [18 * hourMs, 6 * hourMs, 2 * hourMs] as const;
const shortestBlockMs = 2 * hourMs;

/** Some 100 MB of text: one project at one instant is 10 kB. */
const mostProjectInstants = 10_000;

/** Cuts rows of instants where blocks end: the larger the fleet, the shorter are they. */
export function* cutIntoBlocks(rows: readonly InstantRow[], projects: number): Generator<BlockStretch> {
  for (let rest = rows; rest[0] !== undefined; ) {
    const [{ fromAt, stepMs }] = rest as [InstantRow];
    const blockMs =
      blockLengths.find(length => (length / stepMs) * projects <= mostProjectInstants) ?? shortestBlockMs;
    const endsAt = (Math.floor(fromAt / blockMs) + 1) * blockMs;
    yield { rows: cutRows(rest, fromAt, endsAt), blockMs };
    rest = cutRows(rest, endsAt, Number.POSITIVE_INFINITY);
  }
}

function cutRows(rows: readonly InstantRow[], fromAt: number, untilAt: number): readonly InstantRow[] {
  return rows.flatMap(row => cutInstants(row, fromAt, Math.min(untilAt, lastInstant(row) + 1)) ?? []);
}
