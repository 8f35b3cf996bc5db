import { minuteMs } from '../../resources/duration.ts';
import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import { hasEndedInWindow, isWake, lengthMs } from './awake-time.ts';
import { lowerMedianOf, quantileOf } from './statistic.ts';

/** The delays that people set. */
const usualDelaysMs = [1, 2, 5, 10, 15, 20, 30, 60, 120, 240, 480, 720, 1440].map(
  minutes => minutes * minuteMs,
);
const leastSpans = 5;
const suspendTakesMs = 5000;

/**
 * The auto-suspend delay in milliseconds at the end of the history: as the service reports it, else as it looks from
 * outside. Undefined if neither shows it, and where it is never suspended.
 */
export function suspendDelayOf(past: EndpointHistory): number | undefined {
  const reportedMs = reportedDelay(past);
  if (reportedMs === undefined) return inferSuspendDelay(past);
  return Number.isFinite(reportedMs) ? reportedMs : undefined;
}

/** The auto-suspend delay in milliseconds as the service last reported it; infinite for never. */
export function reportedDelay({ delays = [], untilAt }: EndpointHistory): number | undefined {
  return delays.findLast(({ fromAt }) => fromAt < untilAt)?.delayMs;
}

/**
 * The auto-suspend delay in milliseconds where the service does not report it: the time from the last use to suspension,
 * or the shortest time awake if uses are so short that most spans are hardly longer. Undefined if neither shows it.
 */
export function inferSuspendDelay(past: EndpointHistory): number | undefined {
  const ended = past.awake.filter(span => hasEndedInWindow(past, span));
  const tails = ended.flatMap(span => {
    const usedAt = lastUseAt(past, span);
    return usedAt === undefined ? [] : [span.untilAt - usedAt];
  });
  if (tails.length >= leastSpans) return usual(lowerMedianOf(tails));
  const lengths = ended.filter(span => isWake(past, span)).map(lengthMs);
  const shortestMs = quantileOf(lengths, 0.05);
  // Few tails show it too, if no span was shorter.
  if (tails.length > 0 && lowerMedianOf(tails) <= shortestMs + suspendTakesMs)
    return usual(lowerMedianOf(tails));
  const isTypical = quantileOf(lengths, 0.25) <= 1.2 * shortestMs;
  return isTypical && lengths.length >= leastSpans ? usual(shortestMs) : undefined;
}

/** Milliseconds that the span went on after its last use; 0 if it did not. */
export function tailMs(past: EndpointHistory, span: AwakeSpan, delayMs: number): number {
  const usedAt = lastUseAt(past, span);
  if (usedAt !== undefined) return Math.min(lengthMs(span), span.untilAt - usedAt);
  return hasEndedInWindow(past, span) ? Math.min(lengthMs(span), delayMs) : 0;
}

/** The last use within the span; for the last span the endpoint's own last use counts too. */
export function lastUseAt({ awake, lastActiveAt }: EndpointHistory, span: AwakeSpan): number | undefined {
  if (span.lastActiveAt !== undefined || lastActiveAt === undefined || span !== awake.at(-1)) {
    return span.lastActiveAt;
  }
  return lastActiveAt >= span.fromAt && lastActiveAt <= span.untilAt ? lastActiveAt : undefined;
}

/** The usual setting just below a measured delay: suspending takes some seconds, and the shortest use some time. */
function usual(delayMs: number): number {
  const usualMs = usualDelaysMs.findLast(candidate => candidate <= delayMs);
  return usualMs !== undefined && delayMs <= 1.1 * usualMs + suspendTakesMs
    ? usualMs
    : Math.round(delayMs / 1000) * 1000;
}
