import { minuteMs } from '../../resources/duration.ts';
import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import { lengthMs } from './awake-time.ts';
import { sum } from './statistic.ts';
import { tailMs } from './suspend-delay.ts';

/** The outcome of the same history with another auto-suspend delay. */
export interface ShorterDelay {
  readonly delayMs: number;
  /** Milliseconds of each awake span that the endpoint would have slept. */
  readonly sleptMs: readonly number[];
  /** Uses that would have found the endpoint asleep and did not. */
  readonly extraWakes: number;
}

/** While the number of extra wakes is not known, a delay is not cut to less than this part. */
const leastPart = 0.2;
/** Fewer spans whose pauses are known say nothing of the others. */
const leastSeenSpans = 5;
const candidatesMs = [1, 2, 5, 10, 15, 30, 60].map(minutes => minutes * minuteMs);
/** A use that has to wait for a start is worth so much awake time. */
const wakeWorthMs = minuteMs;

/** @param presentMs infinite for one that is never suspended */
export function simulateDelay(past: EndpointHistory, presentMs: number, delayMs: number): ShorterDelay {
  const pauses = past.awake.map(({ pauses: known = [] }) => known.map(lengthMs).filter(ms => ms > delayMs));
  const pausedMs = pauses.map(lengths => sum(lengths.map(ms => ms - delayMs)));
  const seen = past.awake.map((span, index) => ({ span, pausedMs: pausedMs[index] ?? 0 })).filter(isSeen);
  const seenMs = sum(seen.map(({ span }) => lengthMs(span)));
  // Spans whose uses nobody saw had pauses like the others.
  const pausedPart =
    seen.length < leastSeenSpans || seenMs === 0 ? 0 : sum(seen.map(each => each.pausedMs)) / seenMs;
  const sleptMs = past.awake.map((span, index) => {
    const tail = Math.max(0, tailMs(past, span, presentMs) - delayMs);
    const paused = span.pauses === undefined ? pausedPart * lengthMs(span) : (pausedMs[index] ?? 0);
    return Math.min(lengthMs(span), tail + paused);
  });
  return { delayMs, sleptMs, extraWakes: pauses.flat().length };
}

function isSeen({ span: { pauses, unseenMs = 0 } }: { readonly span: AwakeSpan }): boolean {
  return pauses !== undefined && unseenMs === 0;
}

/** The delay below the present one, and not below the smallest, that is worth most; undefined if none is. */
export function findBestDelay(
  past: EndpointHistory,
  presentMs: number,
  smallestMs: number,
): ShorterDelay | undefined {
  const worth = ({ sleptMs, extraWakes }: ShorterDelay) => sum(sleptMs) - extraWakes * wakeWorthMs;
  const shortestMs = Math.max(smallestMs, areUsesKnown(past) ? 0 : leastPart * presentMs);
  return candidatesMs
    .filter(delayMs => delayMs < presentMs && delayMs >= shortestMs)
    .map(delayMs => simulateDelay(past, presentMs, delayMs))
    .reduce<ShorterDelay | undefined>(
      (best, other) => (best === undefined || worth(other) > worth(best) ? other : best),
      undefined,
    );
}

/** Whether all pauses between uses are known. */
export function areUsesKnown({ awake }: EndpointHistory): boolean {
  return awake.every(span => isSeen({ span }));
}

/** The part of each awake span that would have been slept. */
export function sparedBy({ awake }: EndpointHistory, { sleptMs }: ShorterDelay): number[] {
  return awake.map((span, index) => (sleptMs[index] ?? 0) / lengthMs(span));
}
