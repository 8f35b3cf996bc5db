import { dayMs } from '../../resources/duration.ts';
import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import { sumOf } from '../../resources/sum.ts';
import { awakeMs, hasEndedInWindow, lengthMs } from './awake-time.ts';
import type { Detector } from './detector.ts';
import { idleTail } from './idle-tail.ts';
import { sayCount, sayDuration, sayShare } from './phrase.ts';
import { areUsesKnown, findBestDelay, isHardlyMore, sparedBy } from './shorter-delay.ts';
import { suspendDelayOf } from './suspend-delay.ts';

/** The least share of its awake time that is worth a change. */
const leastShare = 0.1;
const leastTails = 5;

/** Replaying its past with a shorter auto-suspend delay, it sleeps noticeably more, though it is mostly in use. */
export const longerThanNeeded: Detector = (past, limit) => {
  const delayMs = suspendDelayOf(past);
  // Idle tails that make up most of the time are a finding of their own, and save the same time.
  if (delayMs === undefined || idleTail(past, limit) !== undefined) return undefined;
  if (past.awake.filter(span => hasEndedInWindow(past, span)).length < leastTails) return undefined;
  const best = findBestDelay(past, delayMs, limit.smallestDelayMs);
  if (best === undefined) return undefined;
  const sleptMs = sumOf(best.sleptMs);
  const share = sleptMs / awakeMs(past);
  if (share < leastShare) return undefined;
  const knownMs = lengthMs(past);
  const sleepsNowMs = knownMs - awakeMs(past);
  return {
    kind: 'longer_than_needed',
    spared: sparedBy(past, best),
    isOfWaiting: true,
    evidence:
      `With an auto-suspend delay of ${sayDuration(best.delayMs)} instead of ${sayDuration(delayMs)} it would have slept ` +
      `${sayShare((sleepsNowMs + sleptMs) / knownMs)} instead of ${sayShare(sleepsNowMs / knownMs)} of ${sayDuration(knownMs)}` +
      `${sayWakes(past, best.extraWakes)}` +
      `${isHardlyMore(sleptMs / knownMs) ? ' The difference is small: likely is only what is sure.' : ''}`,
    advice: `Set its auto-suspend delay to ${sayDuration(best.delayMs)}.`,
    delayMs,
    advisedDelayMs: best.delayMs,
    share,
  };
};

function sayWakes(past: EndpointHistory, extraWakes: number): string {
  if (!areUsesKnown(past)) return '. It is not known how many more wakes that makes.';
  if (extraWakes === 0) return ', with no more wakes.';
  return `, with ${sayCount(extraWakes / (lengthMs(past) / dayMs), 'more wake')} a day.`;
}
