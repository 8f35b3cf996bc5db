import { dayMs } from '../../resources/duration.ts';
import { awakeMs, lengthMs } from './awake-time.ts';
import type { Detector } from './detector.ts';
import { sayDuration } from './phrase.ts';

const leastUnusedMs = 14 * dayMs;

/** Awake now, and nobody has used it for weeks, or ever. */
export const awakeUnused: Detector = past => {
  const last = past.awake.at(-1);
  if (last === undefined || last.untilAt < past.untilAt) return undefined;
  const unusedFromAt = Math.max(last.fromAt, past.lastActiveAt ?? last.fromAt);
  const unusedMs = past.untilAt - unusedFromAt;
  const unusedSinceMs = past.untilAt - (past.lastActiveAt ?? last.fromAt);
  if (unusedSinceMs < leastUnusedMs) return undefined;
  return {
    kind: 'awake_unused',
    isUpperBound: false,
    spared: past.awake.map(span => (span === last ? unusedMs / lengthMs(last) : 0)),
    evidence:
      past.lastActiveAt === undefined
        ? `It is awake, has been for ${sayDuration(unusedMs)}, and no client has ever used it.`
        : `It is awake, and no client has used it for ${sayDuration(unusedSinceMs)}.`,
    advice: 'Delete it if nobody needs it, or give it an auto-suspend delay.',
    share: unusedMs / awakeMs(past),
  };
};
