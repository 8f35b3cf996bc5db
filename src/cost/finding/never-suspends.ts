import { dayMs, hourMs } from '../../resources/duration.ts';
import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import type { Saving } from '../../resources/finding.ts';
import { sumOf } from '../../resources/sum.ts';
import { awakeMs, lengthMs } from './awake-time.ts';
import type { Detector, Recommendation } from './detector.ts';
import { sayDuration, sayEvery, sayShare } from './phrase.ts';
import { findRecurrence, type Recurrence } from './recurrence.ts';
import {
  findBestDelay,
  isHardlyMore,
  type ShorterDelay,
  simulateDelay,
  unseenMsOf,
} from './shorter-delay.ts';
import { reportedDelay } from './suspend-delay.ts';

const leastShare = 0.99;
/** Uses seen for less time say too little of the rest. */
const leastSeenMs = 3 * dayMs;
/** From this share of uses on, a schedule is the only user. */
const leastBeatShare = 0.9;
/** A delay that lets it sleep for less is no help. */
const leastSleptShare = 0.1;

/** Awake all the time: auto-suspend is off, or something uses it too often for it. */
export const neverSuspends: Detector = (past, { smallestDelayMs }) => {
  if (!isAlwaysAwake(past)) return undefined;
  const share = awakeMs(past) / lengthMs(past);
  const reportedMs = reportedDelay(past);
  const seen = `${saySetting(reportedMs)} was awake ${sayShare(share)} of ${sayDuration(lengthMs(past))}`;
  const given = { kind: 'never_suspends', share } as const;
  const seenMs = seenMsOf(past);
  const best = findBestDelay(seenPart(past), reportedMs ?? Number.POSITIVE_INFINITY, smallestDelayMs);
  if (seenMs < leastSeenMs || (best === undefined && reportedMs === undefined)) {
    return {
      ...given,
      evidence: `${seen}${sayUnused(past)}. What used it in that time is not known.`,
      advice: adviseUnseen(reportedMs),
    };
  }
  const period = findRecurrence(
    past.awake.flatMap(({ pauses = [] }) => pauses.map(({ untilAt }) => untilAt)),
  );
  // Its delay may be the smallest already: then none lets it sleep more.
  const sleptShare = best === undefined ? 0 : sleptShareOf(best, seenMs);
  if (period !== undefined && period.share >= leastBeatShare && sleptShare < leastSleptShare) {
    return { ...given, ...describeHeartbeat(past, seen, period) };
  }
  if (best === undefined) return undefined;
  return {
    ...given,
    spared: spareAlways(past, best).parts,
    evidence:
      `${seen}${period === undefined ? '' : `, used ${sayEvery(period.periodMs)}`}; ` +
      `suspended ${sayDuration(best.delayMs)} after each use it would have slept ${sayShare(sleptShare)} of the time.`,
    advice: `Set its auto-suspend delay to ${sayDuration(best.delayMs)}.`,
    advisedDelayMs: best.delayMs,
    ...(period !== undefined && { periodMs: period.periodMs }),
  };
};

export function isAlwaysAwake(past: EndpointHistory): boolean {
  return awakeMs(past) / lengthMs(past) >= leastShare;
}

/**
 * The effect of another auto-suspend delay on an endpoint that is always awake: the parts of its spans that it would have
 * slept, and more wakes. Undefined where too little of its uses was seen.
 */
export function replayAlwaysAwake(past: EndpointHistory, delayMs: number): SparedAlways | undefined {
  if (seenMsOf(past) < leastSeenMs) return undefined;
  const presentMs = reportedDelay(past) ?? Number.POSITIVE_INFINITY;
  return spareAlways(past, simulateDelay(seenPart(past), presentMs, delayMs));
}

interface SparedAlways {
  readonly parts: Saving<readonly number[]>;
  readonly extraWakes: number;
}

/** The time whose uses were not seen was likely like the rest; at most all of it was slept. */
function spareAlways(past: EndpointHistory, shorter: ShorterDelay): SparedAlways {
  const [seenMs, allMs] = [seenMsOf(past), awakeMs(past)];
  const share = sleptShareOf(shorter, seenMs);
  const likely = isHardlyMore(share) ? sumOf(shorter.leastMs) / allMs : share;
  const most = (Math.min(seenMs, sumOf(shorter.mostMs)) + allMs - seenMs) / allMs;
  const evenly = (part: number) => past.awake.map(() => part);
  return {
    parts: { likely: evenly(Math.min(likely, most)), most: evenly(most) },
    extraWakes: (shorter.extraWakes * allMs) / seenMs,
  };
}

function sleptShareOf({ sleptMs }: Pick<ShorterDelay, 'sleptMs'>, seenMs: number): number {
  return Math.min(1, sumOf(sleptMs) / seenMs);
}

/** The setting where it is reported, and the beginning of what was seen. */
function saySetting(reportedMs: number | undefined): string {
  if (reportedMs === undefined) return 'It';
  return Number.isFinite(reportedMs)
    ? `Its auto-suspend delay is ${sayDuration(reportedMs)}, and it`
    : 'Its auto-suspend is off, and it';
}

/** Advice where its uses are not known: what to look for depends on the setting. */
function adviseUnseen(reportedMs: number | undefined): string {
  const culprits = 'a connection pool, a health check or a cron job';
  if (reportedMs === undefined) {
    return `Give it an auto-suspend delay; if it has one, find what uses it more often: ${culprits}.`;
  }
  return Number.isFinite(reportedMs)
    ? `Find what uses it more often than every ${sayDuration(reportedMs)}: ${culprits}.`
    : 'Give it an auto-suspend delay.';
}

/** Uses so frequent that no delay helps: nothing shows how much less it is awake without them. */
function describeHeartbeat(
  past: EndpointHistory,
  seen: string,
  { periodMs }: Pick<Recurrence, 'periodMs'>,
): Omit<Recommendation, 'kind' | 'share'> {
  const { sleptMs } = simulateDelay(seenPart(past), Number.POSITIVE_INFINITY, 0);
  return {
    spared: { most: past.awake.map(() => 1) },
    evidence:
      `${seen}, used ${sayEvery(periodMs)}, which is too often for auto-suspend; ` +
      `it was not used for ${sayShare(sleptShareOf({ sleptMs }, seenMsOf(past)))} of the time.`,
    advice: 'Find the job or health check with this schedule and run it less often, or elsewhere.',
    periodMs,
  };
}

/** Milliseconds in which its uses and pauses are known. */
function seenMsOf(past: EndpointHistory): number {
  return awakeMs(past) - sumOf(past.awake.map(unseenMsOf));
}

/** The history without spans whose uses were not seen. */
function seenPart(past: EndpointHistory): EndpointHistory {
  const seen = past.awake.filter(({ pauses }) => pauses !== undefined);
  return { ...past, awake: seen.map(({ unseenMs: _dark, ...span }) => span) };
}

/** An endpoint awake for more than an hour after its last use has auto-suspend off, or a very long delay. */
function sayUnused({ awake, untilAt, lastActiveAt }: EndpointHistory): string {
  const isAwake = awake.at(-1)?.untilAt === untilAt;
  if (lastActiveAt === undefined || !isAwake || untilAt - lastActiveAt < hourMs) return '';
  return `, and is now, ${sayDuration(untilAt - lastActiveAt)} after its last use`;
}
