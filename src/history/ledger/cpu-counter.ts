import { dayMs, hourMs } from '../../resources/duration.ts';
import { compact } from '../../resources/field.ts';
import { isLikely, isPossible, isUsable, longestLagMs, type MostCu, mostUsedSec } from './cpu-bound.ts';

/** The monotonic counter over a project's `cpu_used_sec`. */
export interface CpuCounter {
  /** Highest value since the last reset, in compute seconds. */
  readonly lastSec: number;
  /** When that value was first read, epoch milliseconds. */
  readonly lastAt: number;
  readonly totalSec: number;
  readonly resets: number;
  readonly doubt?: CpuDoubt;
}

export interface CpuValue {
  readonly sec: number;
  readonly at: number;
  /** When a value was last read that was believed; of the first one, since when it is taken to have been used. */
  readonly believedAt: number;
}

/** A value that was counted, with the counter after it. */
export interface CountedValue extends CpuValue {
  readonly counter: CpuCounter;
}

/** Bounds on how much a project can have used. */
export interface CpuLimits {
  /** Since when the first value can have been used. */
  readonly bornAt: number;
  readonly mostCu: MostCu;
}

export interface CpuCount {
  /** Undefined while nothing was ever counted. */
  readonly counter: CpuCounter | undefined;
  /** Values that count with this reading: those of a reset are two. */
  readonly counted: readonly CountedValue[];
  /** So much cannot have been used: the value is held back. */
  readonly isImplausible: boolean;
}

/** A replica that is behind rarely shows less than this share of the value. */
const leastLagShare = 0.5;
/** A reading dated further ahead than this had a wrong date, and says nothing about the time since. */
const longestStepBackMs = hourMs;

/**
 * Counts one more reading. The first value counts whole: it was used since the project was created. A higher one counts
 * by its growth, unless so much cannot have been used: it is held back until the time that passed makes it possible. A
 * lower one is that of a replica that lags, or a reset ("goes back to 0 each billing period", seen on live services):
 * it counts, whole, once another reading confirms the reset.
 */
export function countCpu(counter: CpuCounter | undefined, value: CpuValue, limits: CpuLimits): CpuCount {
  const { mostCu } = limits;
  if (counter === undefined) return countFirst(value, limits);
  const since = { ...value, believedAt: counter.doubt?.held?.believedAt ?? value.believedAt };
  return value.sec < counter.lastSec ? countFall(counter, since, mostCu) : countRise(counter, since, limits);
}

function countFirst(value: CpuValue, { bornAt, mostCu }: CpuLimits): CpuCount {
  const { sec, at } = value;
  if (!isPossible(sec, at - bornAt, mostCu)) return { counter: undefined, counted: [], isImplausible: true };
  const counter = { lastSec: sec, lastAt: at, totalSec: sec, resets: 0 };
  return { counter, counted: [{ ...value, counter }], isImplausible: false };
}

function countRise(before: CpuCounter, value: CpuValue, { bornAt, mostCu }: CpuLimits): CpuCount {
  const { lastSec, lastAt, totalSec, resets, doubt } = before;
  const { sec, at, believedAt } = value;
  const growthSec = sec - lastSec;
  if (growthSec === 0 && doubt?.held === undefined) return unchanged(before);
  const held = doubt?.held !== undefined && doubt.held.sec < lastSec ? doubt.held : undefined;
  if (held !== undefined && isFarBack(before, held) && isUsable(sec - held.sec, at - held.at, mostCu)) {
    return countReset(before, held, value, mostCu);
  }
  const isMisdated = believedAt - at > longestStepBackMs;
  const passedMs = at - (isMisdated ? bornAt : believedAt);
  const undone = isUndone(before, value, mostCu) ? doubt?.before : undefined;
  // The growth of the series the value belongs to.
  const grownSec = undone === undefined ? growthSec : sec - undone.lastSec;
  if (!isPossible(grownSec, passedMs, mostCu)) return hold(before, value, true);
  const hasLagged = undone !== undefined || held !== undefined;
  const aheadSec = (doubt?.aheadSec ?? 0) + (undone === undefined ? 0 : totalSec - undone.totalSec);
  const counter: CpuCounter = {
    resets,
    lastSec: sec,
    lastAt: growthSec === 0 ? lastAt : at,
    totalSec: totalSec + Math.max(0, grownSec - aheadSec),
    ...renewDoubt(at, {
      laggedAt: hasLagged ? at : doubt?.laggedAt,
      before: undone === undefined ? doubt?.before : undefined,
      isResetAhead: undone !== undefined || doubt?.isResetAhead,
      aheadSec: Math.max(0, aheadSec - grownSec),
    }),
  };
  return { counter, counted: growthSec === 0 ? [] : [{ ...value, counter }], isImplausible: false };
}

/**
 * Whether a value that fell is back where it was, and cannot have been used meanwhile: there was no reset. Soon after it a
 * sudden rise says so, later only a value that the time since then does not allow for.
 */
function isUndone(
  { lastSec, doubt }: CpuCounter,
  { sec, at, believedAt }: CpuValue,
  mostCu: MostCu,
): boolean {
  const { before } = doubt ?? {};
  if (before === undefined || sec < before.lastSec) return false;
  const passedMs = at - before.at;
  const isSudden = passedMs < 2 * longestLagMs && !isLikely(sec - lastSec, at - believedAt, mostCu);
  return isSudden || !isLikely(sec, passedMs, mostCu);
}

function countFall(before: CpuCounter, value: CpuValue, mostCu: MostCu): CpuCount {
  const { held } = before.doubt ?? {};
  if (held === undefined || held.sec >= before.lastSec || value.sec < held.sec)
    return hold(before, value, false);
  const passedMs = value.at - held.believedAt;
  const isReset =
    passedMs >= longestLagMs || (isFarBack(before, held) && isLikely(value.sec, passedMs, mostCu));
  return isReset ? countReset(before, held, value, mostCu) : unchanged(before);
}

/** Whether a value fell further than lagging replicas show, and no replica was seen to lag and no reset on the same day. */
function isFarBack({ lastSec, doubt }: CpuCounter, held: CpuValue): boolean {
  const doubtedAt = Math.max(doubt?.laggedAt ?? 0, doubt?.before?.at ?? 0);
  if (held.at - doubtedAt < dayMs) return false;
  return held.sec < lastSec * leastLagShare;
}

/** Counts what was used since a reset: the value that fell, and the one that confirms it. */
function countReset(before: CpuCounter, held: CpuValue, value: CpuValue, mostCu: MostCu): CpuCount {
  const { lastSec, totalSec, resets, doubt } = before;
  const { sec, at } = value;
  const mostSec = mostUsedSec(at - held.believedAt, mostCu);
  const aheadSec = doubt?.aheadSec ?? 0;
  const counts = (countedSec: number, countedAt: number): CpuCounter => ({
    lastSec: countedSec,
    lastAt: countedAt,
    totalSec: totalSec + Math.max(0, Math.min(countedSec, mostSec) - aheadSec),
    resets: resets + (doubt?.isResetAhead ? 0 : 1),
    ...renewDoubt(at, {
      laggedAt: doubt?.laggedAt,
      before: { lastSec, totalSec, at: held.believedAt },
      aheadSec: Math.max(0, aheadSec - countedSec),
    }),
  });
  const first = { ...held, counter: counts(held.sec, held.at) };
  if (sec === held.sec) return { counter: first.counter, counted: [first], isImplausible: false };
  const counter = counts(sec, at);
  return { counter, counted: [first, { ...value, believedAt: held.at, counter }], isImplausible: false };
}

function hold(counter: CpuCounter, { sec, at, believedAt }: CpuValue, isImplausible: boolean): CpuCount {
  if (counter.doubt?.held?.sec === sec) return { counter, counted: [], isImplausible };
  const doubt = { ...counter.doubt, held: { sec, at, believedAt } };
  return { counter: { ...counter, doubt }, counted: [], isImplausible };
}

function unchanged(counter: CpuCounter): CpuCount {
  return { counter, counted: [], isImplausible: false };
}

/** The counter as the columns of a project hold it. */
export interface CounterColumns {
  readonly cpu_last_sec: number | null;
  readonly cpu_last_at: number | null;
  readonly cpu_used_total_sec: number | null;
  readonly cpu_used_resets: number;
  readonly cpu_doubt: string | null;
}

/** @returns undefined while nothing was ever counted. */
export function asCounter(columns: CounterColumns): CpuCounter | undefined {
  const { cpu_last_sec, cpu_last_at, cpu_used_total_sec, cpu_used_resets, cpu_doubt } = columns;
  if (cpu_last_sec === null || cpu_last_at === null || cpu_used_total_sec === null) return undefined;
  return {
    lastSec: cpu_last_sec,
    lastAt: cpu_last_at,
    totalSec: cpu_used_total_sec,
    resets: cpu_used_resets,
    ...(cpu_doubt !== null && { doubt: JSON.parse(cpu_doubt) as CpuDoubt }),
  };
}

/** The doubts of a counter over `cpu_used_sec`: values that are not, or may not be, what was used. */
interface CpuDoubt {
  /** The first of the values that fell, or the last of the values that cannot have been used. */
  readonly held?: CpuValue;
  /** When a value last turned out to be that of a replica that lags. */
  readonly laggedAt?: number;
  /** The counter before its last reset, which may turn out to have been none, and when it was last read so. */
  readonly before?: { readonly lastSec: number; readonly totalSec: number; readonly at: number };
  /** Whether a reset was counted that was none: the next one counts nothing. */
  readonly isResetAhead?: boolean;
  /** Compute seconds that were counted for it: so much growth counts nothing. */
  readonly aheadSec?: number;
}

type Renewed = { readonly [Key in keyof CpuDoubt]: CpuDoubt[Key] | undefined };

/** The doubt that remains at an instant, as the part of a counter: nothing once it is over. */
function renewDoubt(at: number, renewed: Renewed): { doubt?: CpuDoubt } {
  const { held, laggedAt, before, isResetAhead, aheadSec } = renewed;
  const isRecent = (doubtedAt: number) => at - doubtedAt < dayMs;
  const doubt: CpuDoubt = compact({
    held,
    laggedAt: laggedAt !== undefined && isRecent(laggedAt) ? laggedAt : undefined,
    before: before !== undefined && isRecent(before.at) ? before : undefined,
    isResetAhead: isResetAhead || undefined,
    aheadSec: aheadSec || undefined,
  });
  return Object.keys(doubt).length === 0 ? {} : { doubt };
}
