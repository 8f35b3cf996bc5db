import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import { hasEndedInWindow, isWake, lengthMs } from '../finding/awake-time.ts';
import { lowerMedianOf } from '../finding/statistic.ts';
import { lastUseAt, reportedDelay, suspendDelayOf, usualDelaysMs } from '../finding/suspend-delay.ts';
import { type ComparedPeriods, clipPast } from './compared-past.ts';

/** An auto-suspend delay that became another one. */
export interface DelayChange {
  readonly fromMs: number;
  readonly toMs: number;
  /** When the endpoint first slept by the new one, after it had woken; epoch milliseconds. */
  readonly sinceAt: number;
}

/** Waits for suspension that are known, so many at least on each side. */
const leastTails = 5;
/** Smaller changes may be a matter of how it was read. */
const leastRatio = 1.5;
/** Times awake on each side that the shortest are looked for in. */
const leastLengths = 20;
/** One in twenty thousand. */
const mostLogChance = -10;
/** The shortest use takes some time, too. */
const mostOverUsual = 1.25;

/** Whether the auto-suspend delay is another one at the end of the two periods than at the beginning. */
export function findDelayChange(past: EndpointHistory, periods: ComparedPeriods): DelayChange | undefined {
  const fromMs = reportedDelay(past, periods.before.fromAt + 1);
  const toMs = reportedDelay(past, periods.after.untilAt);
  // A reported delay needs no measuring; only endpoints that are never suspended have none to compare.
  if (fromMs !== undefined && toMs !== undefined && Number.isFinite(fromMs + toMs)) {
    return findReportedChange(past, { fromMs, toMs }, periods);
  }
  const tails = past.awake.flatMap(span => tailOf(past, span));
  return tails.length < leastTails ? findShortestChange(past, periods) : findTailChange(past, tails, periods);
}

/** By the settings: since the last of them that made it what it is at the end. */
function findReportedChange(
  { delays = [] }: EndpointHistory,
  { fromMs, toMs }: Pick<DelayChange, 'fromMs' | 'toMs'>,
  { after }: ComparedPeriods,
): DelayChange | undefined {
  if (Math.max(fromMs / toMs, toMs / fromMs) < leastRatio) return undefined;
  const known = delays.filter(({ fromAt }) => fromAt < after.untilAt);
  const since = known.findLastIndex(({ delayMs }) => delayMs !== toMs) + 1;
  return { fromMs, toMs, sinceAt: known[since]?.fromAt ?? after.fromAt };
}

interface Tail {
  readonly span: AwakeSpan;
  readonly ms: number;
}

/** By the time from the last use to suspension. */
function findTailChange(
  past: EndpointHistory,
  tails: readonly Tail[],
  { before, after }: ComparedPeriods,
): DelayChange | undefined {
  const inBefore = tails.filter(({ span }) => span.untilAt <= before.untilAt);
  const last = tails.filter(({ span }) => span.fromAt >= after.fromAt).slice(-leastTails);
  if (inBefore.length < leastTails || last.length < leastTails) return undefined;
  const fromMs = suspendDelayOf(clipPast(past, before));
  const lastFromAt = last[0]?.span.fromAt ?? after.fromAt;
  const toMs = suspendDelayOf(clipPast(past, { fromAt: lastFromAt - 1, untilAt: after.untilAt }));
  if (fromMs === undefined || toMs === undefined) return undefined;
  if (Math.max(fromMs / toMs, toMs / fromMs) < leastRatio) return undefined;
  if (isNearer(lowerMedianOf(last.map(({ ms }) => ms)), fromMs, toMs)) return undefined;
  const sinceAt = findBoundary(
    tails.map(({ ms, span }) => ({ isNew: !isNearer(ms, fromMs, toMs), at: span.fromAt })),
  );
  return { fromMs, toMs, sinceAt };
}

function tailOf(past: EndpointHistory, span: AwakeSpan): Tail[] {
  const usedAt = lastUseAt(past, span);
  return usedAt === undefined || !hasEndedInWindow(past, span)
    ? []
    : [{ span, ms: Math.max(1, span.untilAt - usedAt) }];
}

/**
 * Where nobody saw the last uses: no time awake is shorter than the delay, and the shortest hardly longer. So the shortest
 * of all that followed a change are longer than those before it, or shorter.
 */
function findShortestChange(
  past: EndpointHistory,
  { before, after }: ComparedPeriods,
): DelayChange | undefined {
  const ended = past.awake.filter(span => isWake(past, span) && hasEndedInWindow(past, span));
  const old = ended.filter(({ untilAt }) => untilAt <= before.untilAt);
  const now = ended.filter(({ fromAt }) => fromAt >= after.fromAt);
  if (old.length < leastLengths || now.length < leastLengths) return undefined;
  const fromMs = usualDelay(shortestOf(old));
  const toMs = usualDelay(shortestOf(now.slice(-leastLengths)));
  if (fromMs === undefined || toMs === undefined || Math.max(fromMs / toMs, toMs / fromMs) < leastRatio) {
    return undefined;
  }
  const isLonger = toMs > fromMs;
  const first = isLonger
    ? now[now.findLastIndex(span => lengthMs(span) < toMs) + 1]
    : now.find(span => lengthMs(span) < fromMs);
  if (first === undefined) return undefined;
  const since = now.slice(now.indexOf(first));
  const isByChance = isLonger ? lacksByChance(since, old, toMs) : lacksByChance(old, since, fromMs);
  return isByChance ? undefined : { fromMs, toMs, sinceAt: first.fromAt };
}

/** Whether times awake may have none below a length by chance, if they were like others. */
function lacksByChance(spans: readonly AwakeSpan[], others: readonly AwakeSpan[], ms: number): boolean {
  const share = others.filter(span => lengthMs(span) < ms).length / others.length;
  return spans.length * Math.log(1 - share) > mostLogChance;
}

function shortestOf(spans: readonly AwakeSpan[]): number {
  return spans.reduce((least, span) => Math.min(least, lengthMs(span)), Number.POSITIVE_INFINITY);
}

/** The usual delay that a shortest time awake is a little longer than; undefined where it is no such time. */
function usualDelay(shortestMs: number): number | undefined {
  return usualDelaysMs.findLast(ms => ms <= shortestMs && shortestMs <= mostOverUsual * ms);
}

/** Whether a wait is nearer to one delay than to the other, in proportion. */
function isNearer(ms: number, one: number, other: number): boolean {
  return Math.abs(Math.log(ms / one)) < Math.abs(Math.log(ms / other));
}

/** The first of those that are new, so that as few as possible are on the wrong side. */
function findBoundary(waits: readonly { readonly isNew: boolean; readonly at: number }[]): number {
  let wrong = waits.filter(({ isNew }) => !isNew).length;
  let best = { wrong, at: waits[0]?.at ?? 0 };
  for (const [index, { isNew }] of waits.entries()) {
    wrong += isNew ? 1 : -1;
    const next = waits[index + 1];
    if (next !== undefined && wrong < best.wrong) best = { wrong, at: next.at };
  }
  return best.at;
}
