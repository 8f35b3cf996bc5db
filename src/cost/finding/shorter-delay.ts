import { minuteMs } from '../../resources/duration.ts';
import type { AwakeSpan, EndpointHistory, Pause } from '../../resources/endpoint-history.ts';
import type { Saving } from '../../resources/finding.ts';
import { sumOf } from '../../resources/sum.ts';
import { lengthMs } from './awake-time.ts';
import { tailMs } from './suspend-delay.ts';

/** The outcome of the same history with another auto-suspend delay. */
export interface ShorterDelay {
  readonly delayMs: number;
  /** Milliseconds of each awake span that the endpoint would have slept, on average. */
  readonly sleptMs: readonly number[];
  /** The same at least, by what was seen alone, and at most, with all that was not seen. */
  readonly leastMs: readonly number[];
  readonly mostMs: readonly number[];
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
/** Where it would have slept for less more of the time, what happened to be seen decides: only what is sure is likely. */
const leastMovedShare = 0.05;

/** @param presentMs infinite for one that is never suspended */
export function simulateDelay(past: EndpointHistory, presentMs: number, delayMs: number): ShorterDelay {
  const sleeps = past.awake.map(({ pauses = [] }) => pauses.map(pause => sleepWithin(pause, delayMs)));
  const inPauses = (key: 'sleptMs' | 'leastMs' | 'mostMs') =>
    sleeps.map(ofSpan => sumOf(ofSpan.map(sleep => sleep[key])));
  const pausedMs = inPauses('sleptMs');
  const seen = past.awake.map((span, index) => ({ span, pausedMs: pausedMs[index] ?? 0 })).filter(isSeen);
  // Spans whose uses were not seen had pauses like the others.
  const pausedPart = seen.length < leastSeenSpans ? 0 : pausedPartOf(seen);
  const addTail = (paused: (span: AwakeSpan, index: number) => number) =>
    past.awake.map((span, index) => {
      const tail = Math.max(0, tailMs(past, span, presentMs) - delayMs);
      return Math.min(lengthMs(span), tail + paused(span, index));
    });
  const [leastInPauses, mostInPauses] = [inPauses('leastMs'), inPauses('mostMs')];
  return {
    delayMs,
    sleptMs: addTail((span, index) =>
      span.pauses === undefined ? pausedPart * lengthMs(span) : (pausedMs[index] ?? 0),
    ),
    leastMs: addTail((_span, index) => leastInPauses[index] ?? 0),
    mostMs: addTail((span, index) => (mostInPauses[index] ?? 0) + unseenMsOf(span)),
    extraWakes: sumOf(sleeps.flat().map(({ chance }) => chance)),
  };
}

/** How long an endpoint sleeps in a pause, and how likely: its end is as likely at any instant it can be. */
interface PauseSleep {
  /** On average. */
  readonly sleptMs: number;
  readonly leastMs: number;
  readonly mostMs: number;
  readonly chance: number;
}

function sleepWithin(pause: Pause, delayMs: number): PauseSleep {
  const leastMs = lengthMs(pause) - delayMs;
  const mostMs = leastMs + Math.max(0, (pause.latestUntilAt ?? pause.untilAt) - pause.untilAt);
  if (mostMs <= 0) return { sleptMs: 0, leastMs: 0, mostMs: 0, chance: 0 };
  const chance = leastMs >= 0 ? 1 : mostMs / (mostMs - leastMs);
  const sureMs = Math.max(0, leastMs);
  return { sleptMs: (chance * (sureMs + mostMs)) / 2, leastMs: sureMs, mostMs, chance };
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
  const seenMs = sumOf(seen.map(({ span }) => lengthMs(span)));
  const mean = sumOf(seen.map(({ pausedMs }) => pausedMs)) / seenMs;
  const squares = seen.map(({ span, pausedMs }) => (pausedMs - mean * lengthMs(span)) ** 2);
  const standardError = Math.sqrt((sumOf(squares) * seen.length) / (seen.length - 1)) / seenMs;
  return Math.max(0, mean - standardError);
}

function isSeen({ span }: { readonly span: AwakeSpan }): boolean {
  return unseenMsOf(span) === 0;
}

/** Milliseconds of the span whose uses and pauses were not seen. */
export function unseenMsOf(span: AwakeSpan): number {
  return span.pauses === undefined ? lengthMs(span) : (span.unseenMs ?? 0);
}

/** The delay below the present one, and not below the smallest, that is worth most; undefined if none is. */
export function findBestDelay(
  past: EndpointHistory,
  presentMs: number,
  smallestMs: number,
): ShorterDelay | undefined {
  const worth = ({ sleptMs, extraWakes }: ShorterDelay) => sumOf(sleptMs) - extraWakes * wakeWorthMs;
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

/** Whether a part of all its time, for which it would have slept more, is hardly any. */
export function isHardlyMore(share: number): boolean {
  return share < leastMovedShare;
}

/** The part of each awake span that would have been slept. */
export function sparedBy(past: EndpointHistory, shorter: ShorterDelay): Saving<readonly number[]> {
  const parts = (ms: readonly number[]) => past.awake.map((span, index) => (ms[index] ?? 0) / lengthMs(span));
  const { sleptMs, leastMs, mostMs } = shorter;
  const isUnsure = isHardlyMore(sumOf(sleptMs) / lengthMs(past));
  return { likely: parts(isUnsure ? leastMs : sleptMs), most: parts(mostMs) };
}
