import type {
  DatedDelay,
  DatedSize,
  EndpointHistory,
  EndpointPast,
} from '../../resources/endpoint-history.ts';
import { sumOf } from '../../resources/sum.ts';
import { isWake } from '../finding/awake-time.ts';
import { sayCount, sayDuration } from '../finding/phrase.ts';
import type { UsePart } from './cause.ts';
import { type ComparedPeriods, findArrival, ratioOf, sharedMs } from './compared-period.ts';

/** What an endpoint used in both periods, in whole CU-milliseconds: its share of what its project used. */
interface EndpointUse {
  readonly endpoint: EndpointPast;
  readonly before: number;
  readonly after: number;
  /** What it would have used in the second period, as long as that is, if it had gone on as in the first. */
  readonly expected: number;
}

/** How often an endpoint woke within a period, and how long of it it was awake. */
interface AwakeMeasure {
  readonly wakes: number;
  readonly awakeMs: number;
  /** The part of it that began with one of the wakes. */
  readonly wokenMs: number;
  /** Whether it was awake for all of the period that is known. */
  readonly isWhole: boolean;
}

interface AwakeChange {
  readonly before: AwakeMeasure;
  readonly after: AwakeMeasure;
  /** More milliseconds awake than before, or fewer, where it existed for as long in both periods. */
  readonly awakeMs: number;
}

/** Parts of what an endpoint used more than was expected of it, which add up to that. */
export function explainEndpoint(use: EndpointUse, periods: ComparedPeriods): UsePart[] {
  const { endpoint, before, after, expected } = use;
  const { past, sizes, goneAt } = endpoint;
  const cuMs = after - expected;
  if (cuMs === 0) return [];
  const { endpoint_id } = past;
  const life = { fromAt: past.fromAt, untilAt: goneAt ?? Number.POSITIVE_INFINITY };
  const arrival = findArrival(life, periods, { before: expected, after });
  if (arrival !== undefined) {
    const { kind } = arrival;
    const isWhole = kind === 'new' || kind === 'gone';
    return [{ ...arrival, kind: isWhole ? `${kind}_endpoint` : kind, cuMs, endpoint_id, children: [] }];
  }
  const change = compareAwake(past, periods, before === 0 ? ratioOf(periods) : expected / before);
  const size = explainSize(sizes, use, change, periods);
  const atSize = cuMs - (size?.cuMs ?? 0);
  const awake = describeAwake(change, size === undefined ? atOldSize(change, use) : atSize, past, periods);
  const rest: UsePart = { kind: 'use', cuMs: atSize - awake.cuMs, children: [] };
  const parts = [awake, ...(size ? [size] : []), rest];
  return parts.filter(part => part.cuMs !== 0).map(part => ({ ...part, endpoint_id }));
}

/** A stretch until the last reading may end somewhat before the period does. */
const leastWhole = 0.99;

/** @param ratio of the time it existed in the second period to that in the first. */
function compareAwake(past: EndpointHistory, periods: ComparedPeriods, ratio: number): AwakeChange {
  const [before, after] = [periods.before, periods.after].map((period): AwakeMeasure => {
    const wakes = past.awake.filter(
      span => isWake(past, span) && span.fromAt >= period.fromAt && span.fromAt < period.untilAt,
    );
    const [awakeMs = 0, wokenMs = 0] = [past.awake, wakes].map(spans =>
      sumOf(spans.map(span => sharedMs(span, period))),
    );
    const isWhole = wakes.length === 0 && awakeMs >= leastWhole * sharedMs(past, period);
    return { wakes: wakes.length, awakeMs, wokenMs, isWhole };
  }) as [AwakeMeasure, AwakeMeasure];
  return { before, after, awakeMs: after.awakeMs - ratio * before.awakeMs };
}

/** The CU-milliseconds of more time awake at the mean size of before, or of after where it was not awake before. */
function atOldSize({ before, after, awakeMs }: AwakeChange, use: EndpointUse): number {
  const [cuMs, ms] = before.awakeMs > 0 ? [use.before, before.awakeMs] : [use.after, after.awakeMs];
  return ms === 0 ? 0 : Math.round((awakeMs * cuMs) / ms);
}

/**
 * The time awake, with its auto-suspend delay where that was set anew, cut into more wakes and longer ones.
 *
 * @param cuMs what it makes, in CU-milliseconds.
 */
function describeAwake(
  change: AwakeChange,
  cuMs: number,
  { delays = [] }: EndpointHistory,
  periods: ComparedPeriods,
): UsePart {
  const { awakeMs } = change;
  const delay = findDelayChange(delays, periods);
  const made = { cuMs, awakeMs, children: cutByWake(change, cuMs) };
  if (delay === undefined) return { ...made, kind: 'awake', evidence: sayWakes(change) };
  const [now, old] = [sayDelay(delay.to, 'for '), sayDelay(delay.from)];
  return {
    ...made,
    kind: 'suspend_delay',
    sinceAt: delay.sinceAt,
    evidence: `after its last use it stays awake ${now} instead of ${old}`,
  };
}

/** Undivided where it woke in one of the periods alone. */
function cutByWake({ before, after, awakeMs }: AwakeChange, cuMs: number): UsePart[] {
  if (before.wakes === 0 || after.wakes === 0 || awakeMs === 0) return [];
  const lengthChangeMs = after.awakeMs - (before.awakeMs / before.wakes) * after.wakes;
  const longer = Math.round((cuMs * lengthChangeMs) / awakeMs);
  const parts: UsePart[] = [
    { kind: 'wakes', cuMs: cuMs - longer, awakeMs: awakeMs - lengthChangeMs, children: [] },
    { kind: 'wake_length', cuMs: longer, awakeMs: lengthChangeMs, children: [] },
  ];
  return parts.filter(part => part.cuMs !== 0);
}

function sayWakes({ before, after }: AwakeChange): string {
  if ([before, after].some(isNeverWoken)) return `${sayAwake(after)}; before, it was ${sayAwake(before)}`;
  const [old, now] = [before, after].map(({ wakes, wokenMs }) =>
    wakes === 0 ? '' : sayDuration(wokenMs / wakes),
  );
  const lengths = [now || old, now && old && now !== old && `instead of ${old}`, 'on average'].filter(
    Boolean,
  );
  const isOther = after.wakes !== before.wakes;
  const counts = `woken ${sayCount(after.wakes, 'time')}${isOther ? ` instead of ${before.wakes}` : ', as before'}`;
  return lengths.length > 1 ? `${counts}, for ${lengths.join(' ')}` : counts;
}

/** Whether it was awake from the beginning of a period on, so that its wakes say nothing of that. */
function isNeverWoken({ wakes, awakeMs }: AwakeMeasure): boolean {
  return wakes === 0 && awakeMs > 0;
}

/** Such as `awake without a pause`, or `awake for 6 days at first, then woken 21 times, for 2 hours on average`. */
function sayAwake({ wakes, awakeMs, wokenMs, isWhole }: AwakeMeasure): string {
  if (isWhole) return 'awake without a pause';
  if (awakeMs === 0) return 'never awake';
  if (wakes === 0) return `awake for ${sayDuration(awakeMs)} without being woken`;
  const first = awakeMs > wokenMs ? `awake for ${sayDuration(awakeMs - wokenMs)} at first, then ` : '';
  return `${first}woken ${sayCount(wakes, 'time')}, for ${sayDuration(wokenMs / wakes)} on average`;
}

/** An auto-suspend delay by a smaller factor than this makes little of the time awake. */
const leastDelayRatio = 1.5;

/** Whether the auto-suspend delay that the service reports is another one at the end of two periods than at first. */
function findDelayChange(delays: readonly DatedDelay[], { before, after }: ComparedPeriods) {
  const known = delays.filter(({ fromAt }) => fromAt < after.untilAt);
  const from = (known.findLast(({ fromAt }) => fromAt <= before.fromAt) ?? known[0])?.delayMs;
  const to = known.at(-1)?.delayMs;
  const since = known[known.findLastIndex(({ delayMs }) => delayMs !== to) + 1];
  if (to === undefined || since === undefined || !isOtherDelay(from, to)) return undefined;
  return { from, to, sinceAt: since.fromAt };
}

/** A default that the service does not report may be any time, but it ends. */
function isOtherDelay(from: number | undefined, to: number): boolean {
  if (!Number.isFinite(to)) return from !== to;
  return from !== undefined && Math.max(from / to, to / from) >= leastDelayRatio;
}

/** Such as `for 5 minutes`, or without the preposition, which only what never ends needs. */
function sayDelay(delayMs: number | undefined, preposition = ''): string {
  if (delayMs === undefined) return 'its default';
  return Number.isFinite(delayMs) ? `${preposition}${sayDuration(delayMs)}` : 'for good';
}

/** What a change of its size makes of the time it is awake now; a fixed size that did not change makes nothing. */
function explainSize(
  sizes: readonly DatedSize[],
  { before, after }: EndpointUse,
  change: AwakeChange,
  periods: ComparedPeriods,
): UsePart | undefined {
  const [awakeBefore, awakeAfter] = [change.before.awakeMs, change.after.awakeMs];
  if (awakeBefore === 0 || awakeAfter === 0 || before === 0) return undefined;
  const set = findSizeChange(sizes, periods);
  const isFixed = sizes.every(({ minCu, maxCu }) => minCu === maxCu);
  if (set === undefined && isFixed) return undefined;
  const [cuBefore, cuAfter] = [before / awakeBefore, after / awakeAfter];
  const cuMs = Math.round(after - cuBefore * awakeAfter);
  const [old, now] = [cuBefore, cuAfter].map(cu => Math.round(cu * 100) / 100);
  const mean = `${now === old ? `${now} CU, as before,` : `${now} CU instead of ${old} CU`} on average while awake`;
  if (set === undefined) return { kind: 'load', cuMs, evidence: mean, children: [] };
  return {
    kind: 'resize',
    cuMs,
    sinceAt: set.to.fromAt,
    evidence: `its size became ${saySize(set.to)} instead of ${saySize(set.from)}, and was ${mean}`,
    children: [],
  };
}

/** Whether the size is another one at the end of two periods than at first, or was in between. */
function findSizeChange(sizes: readonly DatedSize[], { before, after }: ComparedPeriods) {
  const atStart = sizes.findLastIndex(size => size.fromAt <= before.fromAt);
  const [from, ...later] = sizes.slice(Math.max(0, atStart)).filter(size => size.fromAt < after.untilAt);
  const [first, last] = [later[0], later.at(-1)];
  if (from === undefined || first === undefined || last === undefined) return undefined;
  const isAsBefore = from.minCu === last.minCu && from.maxCu === last.maxCu;
  return { from, to: isAsBefore ? first : last };
}

/** Such as `2 CU`, or `1 to 4 CU` where it scales. */
function saySize({ minCu, maxCu }: DatedSize): string {
  return minCu === maxCu ? `${minCu} CU` : `${minCu} to ${maxCu} CU`;
}
