import { hourMs } from '../../resources/duration.ts';
import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import { awakeMs, lengthMs } from './awake-time.ts';
import type { Detector } from './detector.ts';
import { sayDuration, sayEvery, sayShare } from './phrase.ts';
import { findRecurrence } from './recurrence.ts';
import { areUsesKnown, findBestDelay, sparedBy } from './shorter-delay.ts';
import { sum } from './statistic.ts';

const leastShare = 0.99;

/** Awake all the time: auto-suspend is off, or something uses it too often for it. */
export const neverSuspends: Detector = past => {
  const share = awakeMs(past) / lengthMs(past);
  if (share < leastShare) return undefined;
  const seen = `It was awake ${sayShare(share)} of ${sayDuration(lengthMs(past))}`;
  const given = { kind: 'never_suspends', share } as const;
  const best = findBestDelay(past, Number.POSITIVE_INFINITY);
  if (!areUsesKnown(past) || best === undefined) {
    return {
      ...given,
      isUpperBound: true,
      spared: past.awake.map(() => 1),
      evidence: `${seen}${sayUnused(past)}; how much of that was use is not known.`,
      advice:
        'Give it an auto-suspend delay; if it has one, find what uses it more often: a connection pool, a health check or a cron job.',
    };
  }
  const period = findRecurrence(
    past.awake.flatMap(({ pauses = [] }) => pauses.map(({ untilAt }) => untilAt)),
  );
  const sleptShare = sum(best.sleptMs) / awakeMs(past);
  return {
    ...given,
    isUpperBound: false,
    spared: sparedBy(past, best),
    evidence:
      `${seen}${period === undefined ? '' : `, used ${sayEvery(period.periodMs)}`}; ` +
      `suspended ${sayDuration(best.delayMs)} after each use it would have slept ${sayShare(sleptShare)} of the time.`,
    advice: `Set its auto-suspend delay to ${sayDuration(best.delayMs)}.`,
    advisedDelayMs: best.delayMs,
    ...(period !== undefined && { periodMs: period.periodMs }),
  };
};

/** An endpoint awake for more than an hour after its last use has auto-suspend off, or a very long delay. */
function sayUnused({ awake, untilAt, lastActiveAt }: EndpointHistory): string {
  const isAwake = awake.at(-1)?.untilAt === untilAt;
  if (lastActiveAt === undefined || !isAwake || untilAt - lastActiveAt < hourMs) return '';
  return `, and is now, ${sayDuration(untilAt - lastActiveAt)} after its last use`;
}
