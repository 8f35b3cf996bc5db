import { dayMs } from '../../resources/duration.ts';
import { isWake, lengthMs } from './awake-time.ts';
import type { Detector } from './detector.ts';
import { sayCount, sayDuration, sayEvery, sayShare } from './phrase.ts';
import { findRecurrence } from './recurrence.ts';
import { lowerMedianOf, sum } from './statistic.ts';
import { inferSuspendDelay } from './suspend-delay.ts';
import { checkWakes } from './woken-by-checks.ts';

/** A schedule that has not come back after so many periods, and a weekend, has stopped. */
const stoppedPeriods = 3;

/** Something starts it again and again after the same time: a cron job, a health check, a dashboard that refreshes. */
export const wokenOnPeriod: Detector = (past, { smallestDelayMs }) => {
  const byChecks = new Set(checkWakes(past));
  const wakes = past.awake.filter(span => isWake(past, span) && !byChecks.has(span));
  const period = findRecurrence(wakes.map(({ fromAt }) => fromAt));
  if (period === undefined) return undefined;
  const beats = wakes.filter((_, index) => period.beats[index]);
  const lastBeatAt = beats.at(-1)?.fromAt ?? past.fromAt;
  if (past.untilAt - lastBeatAt > Math.max(stoppedPeriods * period.periodMs, 3 * dayMs)) return undefined;
  // Somebody else may have gone on to use the endpoint that the schedule woke: that time is not the schedule's.
  const mostMs = 2 * lowerMedianOf(beats.map(lengthMs));
  const sparedOf = new Map(beats.map(span => [span, Math.min(1, mostMs / lengthMs(span))]));
  const aDay = beats.length / (lengthMs(past) / dayMs);
  const meanMs = sum(beats.map(lengthMs)) / beats.length;
  const delayMs = inferSuspendDelay(past);
  const isLong = delayMs !== undefined && delayMs > smallestDelayMs;
  return {
    kind: 'woken_on_period',
    // The endpoint may exist for a nightly job: its usage is only saved where the job is given up.
    isUpperBound: true,
    spared: past.awake.map(span => sparedOf.get(span) ?? 0),
    evidence:
      `Something wakes it ${sayEvery(period.periodMs)}${aDay < 2 ? '' : `, ${sayCount(aDay, 'time')} a day`}, ` +
      `${sayShare(period.share)} of its starts; it is then awake for ${sayDuration(meanMs)}.`,
    advice:
      'Find the job with this schedule and run it less often, or elsewhere' +
      `${isLong ? `; if it must run, an auto-suspend delay of ${sayDuration(smallestDelayMs)} instead of ${sayDuration(delayMs)} shortens each wake` : ''}.`,
    periodMs: period.periodMs,
    share: period.share,
    ...(delayMs !== undefined && { delayMs }),
  };
};
