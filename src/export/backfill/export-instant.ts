import { cutInstants, type InstantRow, lastInstant, layInstants } from '../../resources/backfill.ts';
import { dayMs, hourMs, minuteMs } from '../../resources/duration.ts';

/** Time before the end in which samples are as close as Prometheus would scrape them. */
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
  /** Length of the block in milliseconds; its beginning is a multiple of it. */
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

/** Instants whose samples are all sent before any of later ones. */
export interface SentStretch {
  readonly rows: readonly InstantRow[];
  /** Its first instant was sent with the stretch before, and is there to show which series have ended since. */
  readonly isLed: boolean;
}

/** Samples of one series that follow each other in one request. */
const mostSeriesSamples = 5000;
/** Some 20 million samples: the most that is sent twice where sending was broken off. */
const mostSentInstants = 360_000;
/** Rows of the history are read again for each stretch. */
const leastSentInstants = 60;

/**
 * Cuts rows of instants into stretches, the shorter the larger the fleet: receivers want what is older first.
 *
 * @param sentUntil the instant, one of the rows, that was the last to be sent before.
 */
export function* cutIntoStretches(
  rows: readonly InstantRow[],
  projects: number,
  sentUntil?: number,
): Generator<SentStretch> {
  const share = Math.floor(mostSentInstants / Math.max(1, projects));
  const most = Math.min(mostSeriesSamples, Math.max(leastSentInstants, share));
  let ledBy = sentUntil;
  for (let rest = rows; rest.length > 0; ) {
    const fresh = cutRows(rest, ledBy === undefined ? 0 : ledBy + 1, Number.POSITIVE_INFINITY);
    if (fresh.length === 0) return;
    const lastAt = instantAt(fresh, most - 1);
    yield { rows: cutRows(rest, ledBy ?? 0, lastAt + 1), isLed: ledBy !== undefined };
    rest = cutRows(rest, lastAt, Number.POSITIVE_INFINITY);
    ledBy = lastAt;
  }
}

/** The instant of some rows by its index, or the last there is. */
function instantAt(rows: readonly InstantRow[], index: number): number {
  let before = 0;
  let at = 0;
  for (const row of rows) {
    at = row.fromAt + Math.min(index - before, row.count - 1) * row.stepMs;
    before += row.count;
    if (index < before) return at;
  }
  return at;
}

function cutRows(rows: readonly InstantRow[], fromAt: number, untilAt: number): readonly InstantRow[] {
  return rows.flatMap(row => cutInstants(row, fromAt, Math.min(untilAt, lastInstant(row) + 1)) ?? []);
}
