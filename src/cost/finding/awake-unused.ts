import { dayMs } from '../../resources/duration.ts';
import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import { awakeMs, lengthMs } from './awake-time.ts';
import type { Detector } from './detector.ts';
import { sayDuration } from './phrase.ts';

const leastUnusedMs = 14 * dayMs;

/** Awake now, and not used for weeks, or ever. */
export const awakeUnused: Detector = (past, { smallestDelayMs }) => {
  const unused = findUnused(past);
  if (unused === undefined) return undefined;
  const { unusedMs, sinceMs } = unused;
  return {
    kind: 'awake_unused',
    spared: { likely: spareUnused(past, smallestDelayMs) ?? [], most: spareUnused(past, 0) ?? [] },
    evidence:
      past.lastActiveAt === undefined
        ? `It is awake, has been for ${sayDuration(unusedMs)}, and no client has ever used it.`
        : `It is awake, and no client has used it for ${sayDuration(sinceMs)}.`,
    advice: 'Delete it if it is not needed, or give it an auto-suspend delay.',
    share: unusedMs / awakeMs(past),
  };
};

/** The part of each awake span that an auto-suspend delay spares where it was not used for weeks; else undefined. */
export function spareUnused(past: EndpointHistory, delayMs: number): number[] | undefined {
  const unused = findUnused(past);
  if (unused === undefined) return undefined;
  const { last, unusedMs, sinceMs } = unused;
  const sparedMs = Math.min(unusedMs, Math.max(0, sinceMs - delayMs));
  return past.awake.map(span => (span === last ? sparedMs / lengthMs(last) : 0));
}

interface UnusedSpan {
  readonly last: AwakeSpan;
  /** Milliseconds of it since its last use. */
  readonly unusedMs: number;
  /** Milliseconds since its last use, which may have been before it. */
  readonly sinceMs: number;
}

function findUnused(past: EndpointHistory): UnusedSpan | undefined {
  const last = past.awake.at(-1);
  if (last === undefined || last.untilAt < past.untilAt) return undefined;
  const usedAt = past.lastActiveAt ?? last.fromAt;
  const sinceMs = past.untilAt - usedAt;
  if (sinceMs < leastUnusedMs) return undefined;
  return { last, sinceMs, unusedMs: Math.min(lengthMs(last), sinceMs) };
}
