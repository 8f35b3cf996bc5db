import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import { sumOf } from '../../resources/sum.ts';
import { awakeMs, hasEndedInWindow, lengthMs } from './awake-time.ts';
import type { Detector } from './detector.ts';
import { sayCount, sayDuration, sayShare } from './phrase.ts';
import { simulateDelay, sparedBy } from './shorter-delay.ts';
import { suspendDelayOf, tailMs } from './suspend-delay.ts';

const leastTails = 5;
/** The part of time awake from which on most of it is waiting: five minutes of use and as many of waiting are meant too. */
export const mostlyWaiting = 0.45;

/** About half of its awake time, or more, is waiting for auto-suspend after the last use. */
export const idleTail: Detector = (past, { smallestDelayMs }) => {
  const delayMs = suspendDelayOf(past);
  if (delayMs === undefined || delayMs <= smallestDelayMs) return undefined;
  const share = tailShare(past, delayMs);
  const tails = past.awake.filter(span => hasEndedInWindow(past, span)).length;
  if (tails < leastTails || share < mostlyWaiting) return undefined;
  const shorter = simulateDelay(past, delayMs, smallestDelayMs);
  return {
    kind: 'idle_tail',
    spared: sparedBy(past, shorter),
    isOfWaiting: true,
    evidence:
      `After its last use it stays awake for ${sayDuration(delayMs)} until auto-suspend: ` +
      `${sayCount(tails, 'time')} in ${sayDuration(lengthMs(past))}, ${sayShare(share)} of its awake time.`,
    advice: `Set its auto-suspend delay to ${sayDuration(smallestDelayMs)}.`,
    delayMs,
    advisedDelayMs: smallestDelayMs,
    share,
  };
};

/** The part of its awake time that lies after the last use of each span. */
function tailShare(past: EndpointHistory, delayMs: number): number {
  return sumOf(past.awake.map(span => tailMs(past, span, delayMs))) / awakeMs(past);
}
