import type { LikelyWrong } from '../../resources/usage/view.ts';

/** The use of a project in the same time by each ledger, in CU-milliseconds. */
export interface LedgerFigures {
  readonly metered: number;
  readonly reported: number;
  /** What may have been used before the time or after it, as the project was not read at its ends. */
  readonly unsure: number;
  /** The least and the most by when endpoints were awake; absent where that is not known. */
  readonly bounds?: { readonly lower: number; readonly upper: number } | undefined;
}

/** Closer than this the ledgers agree: a tenth of the larger one, and a compute hour. */
const closeShare = 0.1;
const closeCuMs = 3_600_000;
/** Within so little of the bounds something is possible all the same. */
const slackCuMs = 60_000;

/** Which of two ledgers is likely wrong, by the time that endpoints were awake; undefined where they agree. */
export function doubtLedgers({ metered, reported, unsure, bounds }: LedgerFigures): LikelyWrong | undefined {
  const apart = Math.abs(metered - reported) - unsure;
  if (apart <= closeCuMs || apart <= closeShare * Math.max(metered, reported)) return undefined;
  if (bounds === undefined) return 'unknown';
  const isPossible = (cuMs: number) =>
    cuMs >= bounds.lower * (1 - closeShare) - slackCuMs &&
    cuMs <= bounds.upper * (1 + closeShare) + slackCuMs;
  if (isPossible(metered) === isPossible(reported)) return 'unknown';
  return isPossible(metered) ? 'reported' : 'metered';
}
