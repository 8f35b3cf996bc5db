import type { AwakeSpan, EndpointHistory } from '../../resources/endpoint-history.ts';
import type { Period } from '../calendar/calendar.ts';
import { hasEndedInWindow, isWake, lengthMs } from '../finding/awake-time.ts';
import { lowerMedianOf, sum } from '../finding/statistic.ts';
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
const mostOverUsual = 1.1;
/** Wakes, and their lengths, that a longer delay would make of those before may be others by so much. */
const mostOff = 1.2;
/** The shortest of two times may be another one by so much of what the delay changed by. */
const mostOffShortest = 0.1;
/** Two changes are told apart where the shortest times fit one of them better by so much. */
const leastBetter = 0.03;

/** Whether the auto-suspend delay is another one at the end of the two periods than at the beginning. */
export function findDelayChange(past: EndpointHistory, periods: ComparedPeriods): DelayChange | undefined {
  const fromMs = reportedDelay(past, periods.before.fromAt + 1);
  const toMs = reportedDelay(past, periods.after.untilAt);
  // A reported delay needs no measuring; only endpoints that are never suspended have none to compare.
  if (fromMs !== undefined && toMs !== undefined && Number.isFinite(fromMs + toMs)) {
    return findReportedChange(past, { fromMs, toMs }, periods);
  }
  const tails = past.awake.flatMap(span => tailOf(past, span));
  return findTailChange(past, tails, periods) ?? findLengthChange(past, tails, periods);
}

/** By the settings: since the last of them that made it what it is at the end. */
function findReportedChange(
  { delays = [] }: EndpointHistory,
  { fromMs, toMs }: Pick<DelayChange, 'fromMs' | 'toMs'>,
  { after }: ComparedPeriods,
): DelayChange | undefined {
  if (!isOther({ fromMs, toMs })) return undefined;
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
  if (fromMs === undefined || toMs === undefined || !isOther({ fromMs, toMs })) return undefined;
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
 * Where nobody saw the last uses on one of the sides: no time awake is shorter than the delay. So the shortest of all that
 * followed a change are longer than those before it, or shorter.
 */
function findLengthChange(
  past: EndpointHistory,
  tails: readonly Tail[],
  { before, after }: ComparedPeriods,
): DelayChange | undefined {
  const isSeen = ({ fromAt, untilAt }: Period) =>
    tails.filter(({ span }) => span.fromAt >= fromAt && span.untilAt <= untilAt).length >= leastTails;
  if (isSeen(before) && isSeen(after)) return undefined;
  const ended = past.awake.filter(span => isWake(past, span) && hasEndedInWindow(past, span));
  const old = ended.filter(({ untilAt }) => untilAt <= before.untilAt);
  const now = ended.filter(({ fromAt }) => fromAt >= after.fromAt);
  if (old.length < leastLengths || now.length < leastLengths) return undefined;
  const pairs = [...joinedPairs(old, now, { before, after }), ...shortestPairs(old, now)];
  for (const pair of pairs) {
    const since = sinceChange(now, pair);
    const [first] = since;
    const { fromMs, toMs } = pair;
    const isByChance = toMs > fromMs ? lacksByChance(since, old, toMs) : lacksByChance(old, since, fromMs);
    if (first !== undefined && !isByChance) return { ...pair, sinceAt: first.fromAt };
  }
  return undefined;
}

type DelayPair = Pick<DelayChange, 'fromMs' | 'toMs'>;

/** All that followed a change: none of them is shorter than the longer delay, or the first is shorter than it. */
function sinceChange(now: readonly AwakeSpan[], { fromMs, toMs }: DelayPair): readonly AwakeSpan[] {
  const first =
    toMs > fromMs
      ? now.findLastIndex(span => lengthMs(span) < toMs) + 1
      : now.findIndex(span => lengthMs(span) < fromMs);
  return first < 0 ? [] : now.slice(first);
}

/** Where uses are so short that the shortest time awake is hardly longer than the delay. */
function shortestPairs(old: readonly AwakeSpan[], now: readonly AwakeSpan[]): DelayPair[] {
  const fromMs = usualDelay(shortestOf(old));
  const toMs = usualDelay(shortestOf(now.slice(-leastLengths)));
  return fromMs === undefined || toMs === undefined || !isOther({ fromMs, toMs }) ? [] : [{ fromMs, toMs }];
}

/**
 * Where uses are longer: a longer delay joins wakes that are near each other, and each lasts longer by as much. So wakes and
 * their lengths follow from those of the shorter delay. Of delays that fit, the one by which the shortest times are apart;
 * none where several are.
 */
function joinedPairs(
  old: readonly AwakeSpan[],
  now: readonly AwakeSpan[],
  { before, after }: ComparedPeriods,
): DelayPair[] {
  const shortest = { fromMs: shortestOf(old), toMs: shortestOf(now.slice(-leastLengths)) };
  const offOf = ({ fromMs, toMs }: DelayPair) =>
    Math.abs(shortest.toMs - shortest.fromMs - (toMs - fromMs)) / Math.abs(toMs - fromMs);
  const fits = usualDelaysMs
    .filter(ms => ms <= shortest.fromMs)
    .flatMap(fromMs =>
      usualDelaysMs.filter(ms => ms <= shortest.toMs).map((toMs): DelayPair => ({ fromMs, toMs })),
    )
    .filter(pair => isOther(pair) && offOf(pair) <= mostOffShortest)
    .filter(pair => {
      const since = sinceChange(now, pair);
      const [first] = since;
      if (first === undefined || since.length < leastLengths) return false;
      const seen = [describeWakes(old, before), describeWakes(since, { ...after, fromAt: first.fromAt })];
      return isJoined(seen, pair);
    })
    .toSorted((a, b) => offOf(a) - offOf(b));
  const [best, next] = fits;
  return best === undefined || (next !== undefined && offOf(next) - offOf(best) < leastBetter) ? [] : [best];
}

interface SeenWakes {
  readonly spans: readonly AwakeSpan[];
  readonly ms: number;
}

function describeWakes(spans: readonly AwakeSpan[], { fromAt, untilAt }: Period): SeenWakes {
  return { spans, ms: untilAt - fromAt };
}

/** Whether the wakes of the shorter delay, each lasting longer by the difference, are those of the longer one. */
function isJoined([old, now]: readonly SeenWakes[], { fromMs, toMs }: DelayPair): boolean {
  if (old === undefined || now === undefined) return false;
  const [short, long] = toMs > fromMs ? [old, now] : [now, old];
  const joined = joinAwake(short.spans, Math.abs(toMs - fromMs));
  const rateOf = ({ length }: readonly unknown[], { ms }: SeenWakes) => length / ms;
  const meanOf = (lengths: readonly number[]) => sum(lengths) / lengths.length;
  const lengths = long.spans.map(lengthMs);
  return (
    rateOf(short.spans, short) > mostOff * rateOf(long.spans, long) &&
    isNear(rateOf(joined, short), rateOf(long.spans, long)) &&
    isNear(meanOf(joined), meanOf(lengths))
  );
}

/** How long an endpoint would have been awake each time, if it had suspended so much later. */
function joinAwake(spans: readonly AwakeSpan[], laterMs: number): number[] {
  const lengths: number[] = [];
  let reachedAt = Number.NEGATIVE_INFINITY;
  for (const span of spans) {
    const untilAt = span.untilAt + laterMs;
    if (span.fromAt > reachedAt) lengths.push(untilAt - span.fromAt);
    else lengths.push((lengths.pop() ?? 0) + untilAt - reachedAt);
    reachedAt = untilAt;
  }
  return lengths;
}

function isNear(one: number, other: number): boolean {
  return Math.max(one / other, other / one) <= mostOff;
}

/** Whether a delay is not just measured otherwise. */
function isOther({ fromMs, toMs }: DelayPair): boolean {
  return Math.max(fromMs / toMs, toMs / fromMs) >= leastRatio;
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
