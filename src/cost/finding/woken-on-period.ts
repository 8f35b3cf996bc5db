import { dayMs } from '../../resources/duration.ts';
import type { AwakeSpan } from '../../resources/endpoint-history.ts';
import { sumOf } from '../../resources/sum.ts';
import { isWake, lengthMs } from './awake-time.ts';
import type { Detector } from './detector.ts';
import { mostlyWaiting } from './idle-tail.ts';
import { sayCount, sayDuration, sayEvery, sayShare } from './phrase.ts';
import { findRecurrence } from './recurrence.ts';
import { lowerMedianOf } from './statistic.ts';
import { suspendDelayOf, tailMs } from './suspend-delay.ts';
import { checkWakes } from './woken-by-checks.ts';

/** Periods, besides a weekend, after which a schedule that has not come back has stopped. */
const stoppedPeriods = 3;

/**
 * Something starts it again and again after the same time, for less time than it then waits for auto-suspend: a cron
 * job, a health check, a dashboard that refreshes.
 */
export const wokenOnPeriod: Detector = (past, { smallestDelayMs }) => {
  const byChecks = new Set(checkWakes(past));
  const wakes = past.awake.filter(span => isWake(past, span) && !byChecks.has(span));
  const period = findRecurrence(wakes.map(({ fromAt }) => fromAt));
  if (period === undefined) return undefined;
  const beats = wakes.filter((_, index) => period.beats[index]);
  const lastBeatAt = beats.at(-1)?.fromAt ?? past.fromAt;
  if (past.untilAt - lastBeatAt > Math.max(stoppedPeriods * period.periodMs, 3 * dayMs)) return undefined;
  const delayMs = suspendDelayOf(past);
  if (delayMs === undefined) return undefined;
  // Where somebody else went on to use the endpoint that the schedule woke, the waiting is not the schedule's.
  const longestMs = 2 * lowerMedianOf(beats.map(lengthMs));
  const own = beats.filter(span => lengthMs(span) <= longestMs);
  const waitedMs = new Map(own.map(span => [span, tailMs(past, span, delayMs)]));
  const waitingShare = sumOf([...waitedMs.values()]) / sumOf(own.map(lengthMs));
  // The others do their work.
  if (waitingShare < mostlyWaiting) return undefined;
  const aDay = beats.length / (lengthMs(past) / dayMs);
  const meanMs = sumOf(own.map(lengthMs)) / own.length;
  // What reaches the window's edge may be a beat, and in the sessions of others it runs, too: then they wait for longer.
  const others = new Set(wakes.filter((_, index) => !period.beats[index]));
  const mostMs = (span: AwakeSpan) => (others.has(span) ? tailMs(past, span, delayMs) : lengthMs(span));
  const isShortened = delayMs > smallestDelayMs;
  const shortenedBy = (span: AwakeSpan) => Math.max(0, (waitedMs.get(span) ?? 0) - smallestDelayMs);
  return {
    kind: 'woken_on_period',
    spared: {
      // Nothing shows whether the job can go: a shorter delay spares its part in any case.
      ...(isShortened && { likely: past.awake.map(span => shortenedBy(span) / lengthMs(span)) }),
      most: past.awake.map(span => mostMs(span) / lengthMs(span)),
    },
    weighedBy: past.awake.map(span => (waitedMs.get(span) ?? 0) / lengthMs(span)),
    isOfWaiting: true,
    evidence:
      `Something wakes it ${sayEvery(period.periodMs)}${aDay < 2 ? '' : `, ${sayCount(aDay, 'time')} a day`}, ` +
      `${sayShare(period.share)} of its starts; it is then awake for ${sayDuration(meanMs)}, ` +
      `${sayShare(waitingShare)} of that waiting for auto-suspend.`,
    advice:
      'Find the job with this schedule and run it less often, or elsewhere' +
      `${isShortened ? `; if it must run, an auto-suspend delay of ${sayDuration(smallestDelayMs)} instead of ${sayDuration(delayMs)} shortens each wake` : ''}.`,
    periodMs: period.periodMs,
    share: period.share,
    delayMs,
  };
};
