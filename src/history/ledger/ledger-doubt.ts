import type { Span } from '../../resources/duration.ts';
import type { AwakeLikelyWrong, LikelyWrong } from '../../resources/usage/view.ts';

/** The least and the most that something can be. */
interface Bounds {
  readonly lower: number;
  readonly upper: number;
}

/** The use of a project in the same time by each ledger, in CU-milliseconds. */
interface LedgerFigures {
  readonly metered: number;
  readonly reported: number;
  /** What may have been used before the time or after it, as the project was not read at its ends. */
  readonly unsure: number;
  /** The least and the most by when endpoints were awake; absent where that is not known. */
  readonly bounds?: Bounds | undefined;
}

/** Closer than this the ledgers agree: a tenth of the larger one, and a compute hour. */
const closeShare = 0.1;
const closeCuMs = 3_600_000;
/** So do awake times, or closer than an hour. */
const closeMs = 3_600_000;
/** Within so little of the bounds something is possible all the same. */
const slackCuMs = 60_000;

/** Which of two ledgers is likely wrong, by the time that endpoints were awake; undefined where they agree. */
export function doubtLedgers({ metered, reported, unsure, bounds }: LedgerFigures): LikelyWrong | undefined {
  const apart = Math.abs(metered - reported) - unsure;
  if (apart <= closeCuMs || apart <= closeShare * Math.max(metered, reported)) return undefined;
  if (bounds === undefined) return 'unknown';
  if (isPossible(metered, bounds) === isPossible(reported, bounds)) return 'unknown';
  return isPossible(metered, bounds) ? 'reported' : 'metered';
}

function isPossible(cuMs: number, { lower, upper }: Bounds): boolean {
  return cuMs >= lower * (1 - closeShare) - slackCuMs && cuMs <= upper * (1 + closeShare) + slackCuMs;
}

/** How long a project was awake in a stretch of time, in milliseconds. */
interface AwakeFigures {
  /** As the service tells it. */
  readonly active: number;
  /** The least and the most by what was read of its endpoints and operations. */
  readonly awake: Bounds;
  /** Its compute in the same time, by its counter and by that reconstruction; absent where that is not known. */
  readonly compute?: { readonly reported: number; readonly bounds: Bounds } | undefined;
}

/** A doubt about the time that a project was awake. */
interface AwakeDoubt {
  readonly likelyWrong: AwakeLikelyWrong;
  /** Seconds that the service tells, minus the nearest of what was reconstructed. */
  readonly driftMs: number;
}

/**
 * The doubt where the service tells of another awake time than was reconstructed; undefined where they agree. What was
 * reconstructed is likely wrong, unless it explains the counter.
 */
export function doubtAwake({ active, awake, compute }: AwakeFigures): AwakeDoubt | undefined {
  const nearest = Math.min(Math.max(active, awake.lower), awake.upper);
  const apart = Math.abs(active - nearest);
  if (apart <= closeMs || apart <= closeShare * Math.max(active, nearest)) return undefined;
  const isExplained = compute !== undefined && isPossible(compute.reported, compute.bounds);
  return { likelyWrong: isExplained ? 'active_time' : 'reconstructed', driftMs: active - nearest };
}

/** A stretch of time of an endpoint: whether it was awake for sure, and whether it may have been. */
export interface AwakeStretch extends Span {
  readonly isSure: boolean;
  readonly isPossible: boolean;
}

/** The least and the most time in which any endpoint of a project was awake, in milliseconds. */
export function boundAwake(stretches: readonly AwakeStretch[]) {
  return {
    lower: unionOf(stretches.filter(({ isSure }) => isSure)),
    upper: unionOf(stretches.filter(({ isPossible }) => isPossible)),
  };
}

/** The time that any of some stretches covers. */
function unionOf(stretches: readonly AwakeStretch[]): number {
  let coveredMs = 0;
  let coveredUntilAt = Number.NEGATIVE_INFINITY;
  for (const { fromAt, untilAt } of stretches.toSorted((one, other) => one.fromAt - other.fromAt)) {
    coveredMs += Math.max(0, untilAt - Math.max(fromAt, coveredUntilAt));
    coveredUntilAt = Math.max(coveredUntilAt, untilAt);
  }
  return coveredMs;
}
