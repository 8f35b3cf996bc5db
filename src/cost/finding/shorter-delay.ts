import { minuteMs } from '../../resources/duration.ts';
import type { AwakeSpan, EndpointHistory, Pause } from '../../resources/endpoint-history.ts';
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
  const sleeps = past.awake.map(({ pauses = [] }) => pauses.map(pause => sleepWithin(pause, delayMs)));
  const pausedMs = sleeps.map(ofSpan => sum(ofSpan.map(({ sleptMs }) => sleptMs)));
  const seen = past.awake.map((span, index) => ({ span, pausedMs: pausedMs[index] ?? 0 })).filter(isSeen);
  // Spans whose uses nobody saw had pauses like the others.
  const pausedPart = seen.length < leastSeenSpans ? 0 : pausedPartOf(seen);
  const sleptMs = past.awake.map((span, index) => {
    const tail = Math.max(0, tailMs(past, span, presentMs) - delayMs);
    const paused = span.pauses === undefined ? pausedPart * lengthMs(span) : (pausedMs[index] ?? 0);
    return Math.min(lengthMs(span), tail + paused);
  });
  return { delayMs, sleptMs, extraWakes: sum(sleeps.flat().map(({ chance }) => chance)) };
}

/** How long, on average, and how likely an endpoint sleeps in a pause: its end is as likely at any instant it can be. */
function sleepWithin(pause: Pause, delayMs: number): { readonly sleptMs: number; readonly chance: number } {
  const leastMs = lengthMs(pause) - delayMs;
  const mostMs = leastMs + Math.max(0, (pause.latestUntilAt ?? pause.untilAt) - pause.untilAt);
  if (mostMs <= 0) return { sleptMs: 0, chance: 0 };
  const chance = leastMs >= 0 ? 1 : mostMs / (mostMs - leastMs);
  return { sleptMs: (chance * (Math.max(0, leastMs) + mostMs)) / 2, chance };
}

interface SeenSpan {
  readonly span: AwakeSpan;
  /** Milliseconds of it that would have been slept. */
  readonly pausedMs: number;
}

/**
 * The part of spans that would have been slept in their pauses, less its standard error: others may have had fewer.
 */
function pausedPartOf(seen: readonly SeenSpan[]): number {
  const seenMs = sum(seen.map(({ span }) => lengthMs(span)));
  const mean = sum(seen.map(({ pausedMs }) => pausedMs)) / seenMs;
  const squares = seen.map(({ span, pausedMs }) => (pausedMs - mean * lengthMs(span)) ** 2);
  const standardError = Math.sqrt((sum(squares) * seen.length) / (seen.length - 1)) / seenMs;
  return Math.max(0, mean - standardError);
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
