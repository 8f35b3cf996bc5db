import type { Database } from 'better-sqlite3';
import type { ComputeQuery } from './compute-query.ts';

/** A sample of `cpu_used_sec`: what it adds to the total before was used after `afterAt` and up to `at`. */
interface Sample {
  readonly at: number;
  readonly afterAt: number;
  readonly totalSec: number;
  readonly fromZero: number;
}

/** Closer than this the beginning of a count is not looked for. */
const precisionMs = 1000;

/**
 * Spreads what samples add over the time it was used in. Where a sample stands for a long time, such as the first one
 * or one after the daemon was down, its share of an hour is that of the compute the endpoints are known to have used.
 */
export class SampleSpread {
  readonly #statements;
  readonly #compute: ComputeQuery;
  /** The last sample that was looked into, and when it began to count: boundaries are read in order of time. */
  #begun: { readonly project_ref: number; readonly at: number; readonly beganAt: number } | undefined;

  constructor(database: Database, compute: ComputeQuery) {
    this.#compute = compute;
    const columns = 'at, after_at AS afterAt, total_sec AS totalSec, from_zero AS fromZero';
    this.#statements = {
      next: database.prepare<[number, number], Sample>(
        `SELECT ${columns} FROM cpu_sample WHERE project_ref = ? AND at > ? ORDER BY at LIMIT 1`,
      ),
      last: database
        .prepare<[number, number], number>(
          'SELECT total_sec FROM cpu_sample WHERE project_ref = ? AND at <= ? ORDER BY at DESC LIMIT 1',
        )
        .pluck(),
      since: database.prepare<[number, number], Sample>(
        `SELECT ${columns} FROM cpu_sample WHERE project_ref = ? AND at > ? ORDER BY at`,
      ),
      // By name, as the planner would rather walk over all samples of the project.
      fromZero: database.prepare<[number, number], Sample>(
        `SELECT ${columns} FROM cpu_sample INDEXED BY cpu_sample_from_zero
         WHERE project_ref = ? AND at > ? AND from_zero = 1 ORDER BY at`,
      ),
    };
  }

  /** What a project used before an instant, in whole CU-milliseconds. */
  usedUntil(project_ref: number, at: number): number {
    const before = this.#totalAt(project_ref, at);
    const next = this.#statements.next.get(project_ref, at);
    return next === undefined || at <= next.afterAt ? before : this.#within(project_ref, before, next, at);
  }

  /**
   * What a project used before each of a row of instants, one every `stepMs` from `fromAt` to `untilAt`, both among
   * them: with one walk over the samples instead of a search for each.
   */
  *usedAtSteps(project_ref: number, fromAt: number, untilAt: number, stepMs: number): Generator<number> {
    let before = this.#totalAt(project_ref, fromAt);
    let at = fromAt;
    for (const sample of this.#statements.since.iterate(project_ref, fromAt)) {
      for (; at < sample.at && at <= untilAt; at += stepMs) {
        yield at <= sample.afterAt ? before : this.#within(project_ref, before, sample, at);
      }
      if (at > untilAt) return;
      before = toCuMs(sample.totalSec);
    }
    for (; at <= untilAt; at += stepMs) yield before;
  }

  /** Of the samples that count from zero those in whose stretch of time something may have been used that none counts. */
  resets(
    project_ref: number,
    fromAt: number,
    untilAt: number,
  ): readonly { readonly fromAt: number; readonly untilAt: number }[] {
    return this.#statements.fromZero
      .all(project_ref, fromAt)
      .filter(sample => sample.afterAt < untilAt)
      .map(sample => {
        const before = this.#totalAt(project_ref, sample.at - 1);
        const grown = toCuMs(sample.totalSec) - before;
        return { fromAt: sample.afterAt, untilAt: this.#beganAt(project_ref, sample, grown) };
      });
  }

  #totalAt(project_ref: number, at: number): number {
    return toCuMs(this.#statements.last.get(project_ref, at) ?? 0);
  }

  /** Between the total before and that of the sample. */
  #within(project_ref: number, before: number, sample: Sample, at: number): number {
    const grown = toCuMs(sample.totalSec) - before;
    const beganAt = sample.fromZero === 1 ? this.#beganAt(project_ref, sample, grown) : sample.afterAt;
    if (at <= beganAt) return before;
    const weightBefore = this.#compute.weigh(project_ref, beganAt);
    const weight = this.#compute.weigh(project_ref, sample.at) - weightBefore;
    const share =
      weight > 0
        ? (this.#compute.weigh(project_ref, at) - weightBefore) / weight
        : (at - beganAt) / (sample.at - beganAt);
    return before + Math.round(grown * share);
  }

  /**
   * When a count from zero began: so long before the sample that the endpoints can have used no less since than it says.
   * The service sets the counter back each billing period, also while nobody is watching.
   */
  #beganAt(project_ref: number, { at, afterAt }: Sample, grown: number): number {
    if (this.#begun?.project_ref === project_ref && this.#begun.at === at) return this.#begun.beganAt;
    const total = this.#compute.project(project_ref, at).lower;
    const usedSince = (instant: number) => total - this.#compute.project(project_ref, instant).lower;
    let earliest = afterAt;
    let latest = at;
    if (usedSince(afterAt) <= grown) latest = afterAt;
    while (latest - earliest > precisionMs) {
      const middle = Math.floor((earliest + latest) / 2);
      if (usedSince(middle) <= grown) latest = middle;
      else earliest = middle;
    }
    this.#begun = { project_ref, at, beganAt: latest };
    return latest;
  }
}

function toCuMs(seconds: number): number {
  return Math.round(seconds * 1000);
}
