import type { Database } from 'better-sqlite3';
import type { UseBounds } from '../../resources/usage/ledger.ts';
import { mostCuOf } from '../commit/project-size.ts';
import { countBegin, isUsable, longestLagMs } from '../ledger/cpu-bound.ts';
import { keptFromAt } from '../upkeep/retention.ts';
import { type ComputeQuery, computeOf } from './compute-query.ts';
import {
  type ComputeAt,
  type LastSample,
  type SampleRow,
  type SampleStretch,
  samplesOf,
  usedWithin,
} from './sample-query.ts';

/** A sample of `cpu_used_sec`: `grown` was used after `afterAt` and up to `at`. */
interface InterpolatedSample {
  readonly at: number;
  readonly afterAt: number;
  /** Used until `at`, in CU-milliseconds, like `grown`. */
  readonly total: number;
  readonly grown: number;
  readonly fromZero: boolean;
}

/** The stretch before a count from zero in which something may have been used that no sample counts. */
export interface CountStart {
  readonly fromAt: number;
  /** The earliest instant at which the count can have begun. */
  readonly untilAt: number;
  /** When the count was first read, and what it had come to. */
  readonly readAt: number;
  readonly countedCuMs: number;
  /** Whether nothing of the project was read before. */
  readonly isFirst: boolean;
}

/** Closer than this the beginning of a count is not looked for. */
const precisionMs = 1000;

/**
 * Spreads what samples add over the time it was used in. Where a sample stands for a long time, such as the first one
 * or one after the daemon was down, its share of an hour lies between the compute the endpoints used at least and at most in it,
 * as far between them as it all lies.
 */
export class SampleInterpolation {
  readonly #samples;
  readonly #compute: ComputeQuery;
  readonly #mostCu;
  /** Before it states are known by their sums alone. */
  readonly #keptFromAt: number;
  /** The last sample that was looked into, by project: one that stands for a long time is asked for again and again. */
  readonly #laid = new Map<number, { readonly at: number; readonly stretch: SampleStretch }>();
  /** When each project last began to count from zero; read when it is first asked for, as most did so long ago. */
  #lastStarts: ReadonlyMap<number, number> | undefined;

  constructor(database: Database) {
    this.#compute = computeOf(database);
    this.#mostCu = mostCuOf(database);
    this.#keptFromAt = keptFromAt(database, 'samples');
    this.#samples = samplesOf(database);
  }

  /** Use of a project before an instant, in whole CU-milliseconds. */
  usedUntil(project_ref: number, at: number): number {
    const [before, next] = this.#around(project_ref, at);
    if (next === undefined) return toCuMs(before?.totalSec ?? 0);
    const sample = joinSample(next, before);
    if (at <= sample.afterAt) return sample.total - sample.grown;
    return usedWithin(this.#lay(project_ref, sample), at, () => this.#compute.extended(project_ref, at));
  }

  /** What a project can have used before an instant by the readings around it. */
  boundsAt(project_ref: number, at: number): UseBounds {
    const [before, next] = this.#around(project_ref, at);
    const least = toCuMs(before?.totalSec ?? 0);
    if (next === undefined) return { least, most: least };
    const { afterAt, total } = joinSample(next, before);
    return { least, most: at <= afterAt ? least : total };
  }

  /** The last sample until an instant, and the first one after it. */
  #around(project_ref: number, at: number) {
    return [this.#samples.last(project_ref, at), this.#samples.next(project_ref, at)] as const;
  }

  /**
   * Use of a project before each of a row of instants, one every `stepMs` from `fromAt` to `untilAt`, both among
   * them: with one walk over the samples instead of a search for each.
   */
  *usedAtSteps(project_ref: number, fromAt: number, untilAt: number, stepMs: number): Generator<number> {
    // Since the last time more may be known of when the endpoints were awake.
    this.#laid.delete(project_ref);
    let at = fromAt;
    let before = this.#samples.last(project_ref, fromAt);
    const computeAt = this.#compute.follow(project_ref, fromAt);
    const endsAt = this.#followEnds(project_ref, fromAt);
    for (const row of this.#samples.since(project_ref, fromAt)) {
      const sample = joinSample(row, before);
      let stretch: SampleStretch | undefined;
      for (; at < sample.at && at <= untilAt; at += stepMs) {
        if (at > sample.afterAt) stretch ??= this.#lay(project_ref, sample, endsAt);
        yield stretch === undefined ? sample.total - sample.grown : usedWithin(stretch, at, computeAt);
      }
      if (at > untilAt) return;
      before = row;
    }
    for (; at <= untilAt; at += stepMs) yield toCuMs(before?.totalSec ?? 0);
  }

  /**
   * Stretches before samples that count from zero: something may have been used in them that no sample counts.
   *
   * @param afterAt the ones that end by then may be left out: when each ended takes long to find.
   */
  resets(project_ref: number, fromAt: number, untilAt: number, afterAt?: number): readonly CountStart[] {
    this.#lastStarts ??= new Map(this.#samples.lastStarts());
    if ((this.#lastStarts.get(project_ref) ?? Number.NEGATIVE_INFINITY) <= fromAt) return [];
    return this.#samples
      .fromZero(project_ref, fromAt)
      .map(row => ({ row, before: this.#samples.last(project_ref, row.at - 1) }))
      .map(({ row, before }) => ({ sample: joinSample(row, before), isFirst: before === undefined }))
      .filter(({ sample }) => sample.afterAt < untilAt)
      .filter(({ sample }) => afterAt === undefined || this.#canBeginAfter(project_ref, sample, afterAt))
      .map(({ sample, isFirst }) => ({
        fromAt: sample.afterAt,
        untilAt: this.#beganAt(project_ref, sample),
        readAt: sample.at,
        countedCuMs: sample.grown,
        isFirst,
      }));
  }

  /** Whether the endpoints may have used more since an instant than a sample counts from zero. */
  #canBeginAfter(project_ref: number, { at, afterAt, grown }: InterpolatedSample, instant: number): boolean {
    if (at <= instant) return false;
    if (afterAt >= instant) return true;
    const used = (until: number) => this.#compute.project(project_ref, until).lower;
    return used(at) - used(instant) > grown;
  }

  /** The compute at the ends of stretches, one after the other: only the first may begin before the walk over them. */
  #followEnds(project_ref: number, fromAt: number): ComputeAt {
    const computeAt = this.#compute.follow(project_ref, fromAt);
    let reachedAt = fromAt;
    return at => {
      if (at < reachedAt) return this.#compute.extended(project_ref, at);
      reachedAt = at;
      return computeAt(at);
    };
  }

  #lay(
    project_ref: number,
    sample: InterpolatedSample,
    computeAt: ComputeAt = at => this.#compute.extended(project_ref, at),
  ): SampleStretch {
    const known = this.#laid.get(project_ref);
    if (known?.at === sample.at) return known.stretch;
    const stretch = this.#measure(project_ref, sample, computeAt);
    this.#laid.set(project_ref, { at: sample.at, stretch });
    return stretch;
  }

  #measure(project_ref: number, sample: InterpolatedSample, computeAt: ComputeAt): SampleStretch {
    const { at, afterAt, total, grown, fromZero } = sample;
    const possibleAt = fromZero ? this.#beganAt(project_ref, sample) : afterAt;
    const computeBefore = computeAt(possibleAt);
    const computeAfter = computeAt(at);
    const isSeenAwake = computeAfter.upper > computeBefore.upper;
    const beganAt = fromZero && !isSeenAwake ? this.#guessBegin(project_ref, sample, possibleAt) : possibleAt;
    return { before: total - grown, grown, beganAt, endedAt: at, computeBefore, computeAfter };
  }

  /** When a count from zero began during which no endpoint is known to have been awake. */
  #guessBegin(project_ref: number, { at, grown }: InterpolatedSample, earliestAt: number): number {
    const mostCu = () => this.#mostCu(project_ref);
    return countBegin(at, earliestAt, elapsedMs => isUsable(grown / 1000, elapsedMs, mostCu));
  }

  /**
   * When a count from zero began: so long before the sample that the endpoints can have used no less since than it says.
   * Use just before it was read does not speak against a count of all.
   * The service sets the counter back each billing period, also while it is not watched. What was before the states that
   * are kept cannot be looked into: a count that began there is as old as it can be.
   */
  #beganAt(project_ref: number, { at, afterAt, grown }: InterpolatedSample): number {
    const used = (until: number) => this.#compute.project(project_ref, until).lower;
    if (used(Math.max(afterAt, at - longestLagMs)) - used(afterAt) <= grown) return afterAt;
    const total = used(at);
    const usedSince = (instant: number) => total - used(instant);
    const earliestAt = Math.min(Math.max(afterAt, this.#keptFromAt), at);
    if (usedSince(earliestAt) <= grown) return afterAt;
    return findTurn(earliestAt, at, instant => usedSince(instant) > grown);
  }
}

/** The instant within a stretch until which something is so, to the second: it is so at its beginning, and not at its end. */
export function findTurn(fromAt: number, untilAt: number, isSo: (at: number) => boolean): number {
  let [earliest, latest] = [fromAt, untilAt];
  while (latest - earliest > precisionMs) {
    const middle = Math.floor((earliest + latest) / 2);
    if (isSo(middle)) earliest = middle;
    else latest = middle;
  }
  return latest;
}

function joinSample(row: SampleRow, before: LastSample | undefined): InterpolatedSample {
  const { at, fromZero } = row;
  const total = toCuMs(row.totalSec);
  const grown = total - toCuMs(before?.totalSec ?? 0);
  return { at, afterAt: row.afterAt ?? before?.at ?? at, total, grown, fromZero: fromZero === 1 };
}

function toCuMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
