import type { EndpointHistory } from '../../resources/endpoint-history.ts';
import type { Saving } from '../../resources/finding.ts';
import { sumOf } from '../../resources/sum.ts';
import { awakeMs, hasEndedInWindow, lengthMs } from './awake-time.ts';
import { spareUnused } from './awake-unused.ts';
import { isAtFloor } from './floor-size.ts';
import { isAlwaysAwake, replayAlwaysAwake } from './never-suspends.ts';
import { areUsesKnown, simulateDelay, sparedBy } from './shorter-delay.ts';
import { cuWhileAwake, RemainingHours, roundHours, spanHoursOf } from './spared-use.ts';
import { suspendDelayOf } from './suspend-delay.ts';

/** Other settings of an endpoint; what is absent stays as it is. */
export interface ChangedSetting {
  readonly delayMs?: number;
  /** Its smallest size in compute units. */
  readonly minCu?: number;
}

/** The past of an endpoint as it would have been with other settings. */
export interface ReplayedPast {
  /** By the same sums as findings; less than 0 where it would have used more. */
  readonly savedHoursPerMonth: Saving;
  /** More wakes within its past, fewer where less than 0; absent where that is not known. */
  readonly extraWakes?: number;
}

/** Why nothing can be said of another setting. */
export type NotReplayed = 'too_young' | 'asleep' | 'size_unknown' | 'delay_unknown' | 'uses_unknown';

/** The parts of its awake spans that a setting spares. */
interface Spared extends Pick<ReplayedPast, 'extraWakes'> {
  readonly parts: Saving<readonly number[]>;
}

/** Replays the past of an endpoint with other settings. */
export function replayPast(
  past: EndpointHistory,
  { delayMs, minCu }: ChangedSetting,
): ReplayedPast | NotReplayed {
  if (lengthMs(past) <= 0) return 'too_young';
  if (awakeMs(past) === 0) return 'asleep';
  if (past.minCu === undefined) return 'size_unknown';
  const none: Spared = { parts: surely(past.awake.map(() => 0)), extraWakes: 0 };
  const waiting = delayMs === undefined ? none : replayDelay(past, delayMs);
  if (typeof waiting === 'string') return waiting;
  const size = minCu === undefined ? none : replaySize(past, minCu);
  // Where nothing shows that the size may be smaller, sleep is likely alone.
  const likelySize = size.parts.likely ?? (delayMs === undefined ? undefined : none.parts.most);
  const hoursOf = (parts: readonly number[] = [], sizes: readonly number[]) => {
    const left = new RemainingHours(spanHoursOf(past));
    return roundHours(left.spare(parts) + left.spare(sizes));
  };
  return {
    savedHoursPerMonth: {
      ...(likelySize && { likely: hoursOf(waiting.parts.likely, likelySize) }),
      most: hoursOf(waiting.parts.most, size.parts.most),
    },
    ...(waiting.extraWakes !== undefined && { extraWakes: waiting.extraWakes }),
  };
}

function surely(parts: readonly number[]): Saving<readonly number[]> {
  return { likely: parts, most: parts };
}

function replayDelay(past: EndpointHistory, delayMs: number): Spared | NotReplayed {
  const unused = spareUnused(past, delayMs);
  if (unused !== undefined) return { parts: surely(unused), extraWakes: 0 };
  if (isAlwaysAwake(past)) return replayAlwaysAwake(past, delayMs) ?? 'uses_unknown';
  const presentMs = suspendDelayOf(past);
  if (presentMs === undefined) return 'delay_unknown';
  if (delayMs > presentMs) return replayLonger(past, delayMs - presentMs);
  const shorter = simulateDelay(past, presentMs, delayMs);
  return {
    parts: sparedBy(past, shorter),
    ...(areUsesKnown(past) && { extraWakes: shorter.extraWakes }),
  };
}

/** It would have stayed awake for longer after each span, at most until the next one. */
function replayLonger(past: EndpointHistory, longerMs: number): Spared {
  const grown = past.awake.map((span, index) => {
    if (!hasEndedInWindow(past, span)) return { grownMs: 0, isJoined: false };
    const nextAt = past.awake[index + 1]?.fromAt;
    const pauseMs = (nextAt ?? past.untilAt) - span.untilAt;
    return { grownMs: Math.min(longerMs, pauseMs), isJoined: nextAt !== undefined && pauseMs <= longerMs };
  });
  return {
    parts: surely(past.awake.map((span, index) => -(grown[index]?.grownMs ?? 0) / lengthMs(span))),
    extraWakes: -grown.filter(({ isJoined }) => isJoined).length,
  };
}

/** A smaller smallest size spares its difference at most; a larger one takes more only where less was used. */
function replaySize(past: EndpointHistory, minCu: number): Spared {
  const { minCu: presentCu = 0, maxCu = presentCu } = past;
  const isAllOfUse = presentCu >= maxCu || (minCu < presentCu && isAtFloor(past));
  const usedCu = Math.max(cuWhileAwake(past), presentCu);
  const saved = isAllOfUse
    ? (presentCu - minCu) / presentCu
    : minCu < presentCu
      ? (presentCu - minCu) / usedCu
      : -Math.max(0, minCu - usedCu) / usedCu;
  const parts = past.awake.map(() => saved);
  return { parts: minCu < presentCu ? { most: parts } : surely(parts) };
}

/** Compute hours of its past as it was. */
export function usedHoursOf(past: EndpointHistory): number {
  return roundHours(sumOf(spanHoursOf(past)));
}
