import type { AwakeSpan, EndpointPast } from '../../resources/endpoint-past.ts';
import { isEnded, isWake, lengthMs, medianOf, quantileOf } from './proposal.ts';

const minute = 60_000;
const usualDelaysMs = [1, 2, 5, 10, 15, 20, 30, 60, 120, 240, 480, 720, 1440].map(
  minutes => minutes * minute,
);
const leastSpans = 5;

/**
 * The auto-suspend delay, which the service does not tell: how long after the last use the endpoint was suspended, or
 * the least it is awake for if uses are so short that most spans are hardly longer. Undefined if neither shows.
 */
export function inferSuspendDelay(past: EndpointPast): number | undefined {
  const ended = past.awake.filter(span => isEnded(past, span));
  const tails = ended.flatMap(({ untilAt, lastActiveAt }) =>
    lastActiveAt === undefined ? [] : [untilAt - lastActiveAt],
  );
  if (tails.length >= Math.min(leastSpans, ended.length) && tails.length > 0) return usual(medianOf(tails));
  const lengths = ended.filter(span => isWake(past, span)).map(lengthMs);
  if (lengths.length < leastSpans) return undefined;
  const shortestMs = quantileOf(lengths, 0.05);
  const isTypical = quantileOf(lengths, 0.25) <= 1.2 * shortestMs;
  return isTypical ? usual(shortestMs) : undefined;
}

/** How long the span went on after its last use, if it did. */
export function tailMs(past: EndpointPast, span: AwakeSpan, delayMs: number): number {
  const { untilAt, lastActiveAt } = span;
  if (lastActiveAt !== undefined) return Math.min(lengthMs(span), untilAt - lastActiveAt);
  return isEnded(past, span) ? Math.min(lengthMs(span), delayMs) : 0;
}

/** Suspending takes some seconds, and the shortest use is not nothing: a setting just below is meant. */
function usual(delayMs: number): number {
  const usualMs = usualDelaysMs.findLast(candidate => candidate <= delayMs);
  return usualMs !== undefined && delayMs <= 1.1 * usualMs + 5000
    ? usualMs
    : Math.round(delayMs / 1000) * 1000;
}
